import { describeBreaks, setUpBackups } from './testing/broken-backups';

setUpBackups(6_000);
describeBreaks(1_000_000);
