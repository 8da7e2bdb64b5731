import { describe } from 'vitest';
import { tools } from './registry';
import { testExamples } from './testing/run-examples';

describe('every example runs', () => testExamples(tools));
