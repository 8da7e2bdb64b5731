import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { settingsTable } from '@/server/platform/settings/settings';
import { interpolate, readCompose } from '../system/scale/compose';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const SECRETS = ['AUTH_SECRET', 'VAULT_KEY', 'CLAIM_SECRET'];
const compose = readCompose();
const ours = Object.entries(compose.services).filter(([, { image }]) => image === 'tool-gateway');
const webs = ours.filter(([, { command }]) => command === undefined);

describe('compose.yaml', () => {
  it('names only settings that the gateway knows', () => {
    const known = new Set(settingsTable.map(({ name }) => name));
    for (const [, { environment = {} }] of ours)
      expect(Object.keys(environment).filter((name) => !known.has(name))).toEqual([]);
  });

  it('has two web processes and a worker, with the same secrets, database and files, and a data folder each', () => {
    expect(ours.map(([name]) => name)).toEqual(['web-1', 'web-2', 'worker']);
    const shared = [...SECRETS, 'DATABASE_URL', 'BASE_URL', 'ASSETS_DIR', 'JOBS', 'GATEWAY_ENV'];
    const values = ours.map(([, { environment = {} }]) => shared.map((name) => environment[name]));
    expect(new Set(values.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(values[0]).not.toContain(undefined);
    const mounts = (target: string) =>
      ours.map(
        ([, { volumes = [] }]) => volumes.find((volume) => volume.endsWith(`:${target}`))?.split(':')[0],
      );
    expect(new Set(mounts('/var/lib/tool-gateway')).size).toBe(ours.length);
    expect(new Set(mounts('/var/lib/tool-gateway-files'))).toEqual(new Set(['files']));
    for (const volume of ours.flatMap(([, { volumes = [] }]) => volumes))
      expect(Object.keys(compose.volumes)).toContain(volume.split(':')[0]);
  });

  it('has no secret of its own: each comes from .env, and without it nothing starts', () => {
    const [, { environment = {} }] = ours[0] ?? ['', {}];
    for (const name of SECRETS) {
      expect(environment[name]).toMatch(new RegExp(`^\\$\\{${name}:\\?`));
      expect(() => interpolate(environment[name] ?? '', {})).toThrow(name);
    }
    const made = read('deploy/make-env.sh');
    for (const name of [...SECRETS, 'BASE_URL', 'POSTGRES_PASSWORD', 'SMTP_URL'])
      expect(made).toContain(`${name}=`);
  });

  it('has a health check everywhere, and nobody starts before what it needs', () => {
    // The image of the gateway has its own.
    for (const [name, { healthcheck, image }] of Object.entries(compose.services))
      expect(healthcheck ?? (image === 'tool-gateway' || null), name).not.toBeNull();
    expect(read('Dockerfile')).toMatch(/^HEALTHCHECK .*\/readyz/m);
    for (const [, { depends_on: needs }] of ours) expect(needs?.postgres?.condition).toBe('service_healthy');
  });

  it('has as many hops as it has proxies, which reach both web processes', () => {
    for (const [, { environment = {} }] of webs) expect(environment.TRUSTED_PROXY_HOPS).toBe('1');
    const proxy = read('deploy/Caddyfile');
    for (const [name, { environment = {} }] of webs) expect(proxy).toContain(`${name}:${environment.PORT}`);
    expect(proxy).toMatch(/flush_interval -1/);
    expect(proxy).toMatch(/response_header_timeout 120s/);
  });

  it('what the reader does not know is an error', () => {
    expect(() => readCompose('a: 1\n  - b')).toThrow('cannot be read');
    expect(() => readCompose('a: *nothing')).toThrow('no &nothing');
    expect(() => readCompose('a: [1,\n  2]')).toThrow();
  });
});
