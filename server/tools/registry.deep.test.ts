import { describe } from 'vitest';
import { testExamples } from '../testing/tools/run-examples';
import { tools } from './registry';

describe('every example runs', () => testExamples(tools));
