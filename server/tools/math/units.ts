import { z } from 'zod';
import { defineSkill, free } from '../sdk/define-tool';
import { InputError } from '../sdk/skill-error';
import { runInWorker } from '../sdk/workers';
import type * as worker from './units-worker.mjs';

const MODULE = 'server/tools/math/units-worker.mjs';
const MAX_UNIT_CHARS = 100;
const MAX_VALUE = 1e100;

const unit = z.string().trim().min(1).max(MAX_UNIT_CHARS);

const input = z.object({
  value: z.number().min(-MAX_VALUE).max(MAX_VALUE).describe('The value in the unit `from`.'),
  from: unit.describe(
    'The unit of the value: a name or symbol such as mile, km, degF, kg, lb, gallon, mph, kWh or GiB, or a compound such as km/h, m^2 or kg m^2/s^2. Symbols are case-sensitive.',
  ),
  to: unit.describe('The target unit, in the same notation.'),
});

const output = z.object({
  value: z.number().describe('The converted value, to 14 significant digits.'),
  text: z.string().describe('The conversion as text, for instance "5 mile = 8.04672 km".'),
});

export const units = defineSkill<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'units',
  displayName: 'Convert units',
  keywords:
    'unit converter measurement miles kilometers meters feet inches kg pounds ounces celsius fahrenheit liters gallons mph',
  description:
    'Converts a value from one unit of measurement to another: length and distance (miles to km, feet to meters), weight and mass (pounds to kg), temperature (Fahrenheit to Celsius, kelvin), volume (gallons to liters, cups), area, speed (mph to km/h), time, energy, power, pressure, angle, and data sizes (bytes, MB, GiB). Takes a number and two units, returns the converted number.',
  input,
  output,
  returns: 'The converted value as a number and as text.',
  examples: [
    { description: 'Convert miles to kilometers', input: { value: 5, from: 'mile', to: 'km' } },
    { description: 'Convert Fahrenheit to Celsius', input: { value: 98.6, from: '°F', to: '°C' } },
    { description: 'Convert a speed from mph to km/h', input: { value: 60, from: 'mph', to: 'km/h' } },
  ],
  price: free,
  annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 0.1 },
  async run({ input: payload, signal }) {
    const answer = await runInWorker<typeof worker.convert>(MODULE, 'convert', payload, { signal });
    if (!answer.ok) throw new InputError(answer.message);
    const text = `${payload.value} ${payload.from} = ${answer.value} ${payload.to}`;
    return { output: { value: answer.value, text } };
  },
});
