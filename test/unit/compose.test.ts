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
  it('uses only known settings', () => {
    const known = new Set(settingsTable.map(({ name }) => name));
    for (const [, { environment = {} }] of ours)
      expect(Object.keys(environment).filter((name) => !known.has(name))).toEqual([]);
  });

  it('runs two web processes and a worker with shared secrets, database and files, and separate data folders', () => {
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

  it('reads every secret from .env and does not start without it', () => {
    const [, { environment = {} }] = ours[0] ?? ['', {}];
    for (const name of SECRETS) {
      expect(environment[name]).toMatch(new RegExp(`^\\$\\{${name}:\\?`));
      expect(() => interpolate(environment[name] ?? '', {})).toThrow(name);
    }
    const made = read('deploy/make-env.sh');
    for (const name of [...SECRETS, 'BASE_URL', 'POSTGRES_PASSWORD', 'SMTP_URL'])
      expect(made).toContain(`${name}=`);
  });

  it('has a health check for every service and starts services after their dependencies', () => {
    // The health check of the gateway is in its image.
    for (const [name, { healthcheck, image }] of Object.entries(compose.services))
      expect(healthcheck ?? (image === 'tool-gateway' || null), name).not.toBeNull();
    expect(read('Dockerfile')).toMatch(/^HEALTHCHECK .*\/readyz/m);
    for (const [, { depends_on: needs }] of ours) expect(needs?.postgres?.condition).toBe('service_healthy');
  });

  it('trusts as many proxy hops as there are proxies, which reach both web processes', () => {
    for (const [, { environment = {} }] of webs) expect(environment.TRUSTED_PROXY_HOPS).toBe('1');
    const proxy = read('deploy/Caddyfile');
    for (const [name, { environment = {} }] of webs) expect(proxy).toContain(`${name}:${environment.PORT}`);
    expect(proxy).toMatch(/flush_interval -1/);
    expect(proxy).toMatch(/response_header_timeout 120s/);
  });

  it('is parsed strictly: unknown syntax is an error', () => {
    expect(() => readCompose('a: 1\n  - b')).toThrow('cannot be read');
    expect(() => readCompose('a: *nothing')).toThrow('no &nothing');
    expect(() => readCompose('a: [1,\n  2]')).toThrow();
  });
});
