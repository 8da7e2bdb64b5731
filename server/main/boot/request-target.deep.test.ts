import { describeHostileTargets } from './testing/hostile-targets';

describeHostileTargets(20_000);
