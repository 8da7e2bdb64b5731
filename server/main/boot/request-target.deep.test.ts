import { describeHostileTargets } from './testing/hostile-targets';

describeHostileTargets(5_000);
