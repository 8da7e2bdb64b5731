import { expect, it } from 'vitest';
import { getProviderRequirements } from '../../calls/prepare/find-means';
import { findProvider } from '../../platform/settings/providers';
import { tools } from '../../tools/registry';

const skills = tools.flatMap((tool) =>
  tool.skills.map((skill) => ({ name: `${tool.name}.${skill.name}`, skill })),
);
const asking = skills.filter(({ skill }) => skill.requirements !== undefined);

it('every requirement of a skill is a known provider, declared once', () => {
  for (const { name, skill } of asking) {
    const { requirements = [] } = skill;
    expect(requirements.length, name).toBeGreaterThan(0);
    expect(new Set(requirements).size, name).toBe(requirements.length);
    for (const slot of requirements) expect(findProvider(slot), `${name} ${slot}`).toBeDefined();
  }
});

it('the providers that a skill selects for an input are among its requirements', () => {
  for (const { name, skill } of skills)
    for (const { input } of skill.examples) {
      const slots = getProviderRequirements(skill, skill.input.parse(input));
      expect(skill.requirements ?? [], name).toEqual(expect.arrayContaining([...slots]));
    }
});
