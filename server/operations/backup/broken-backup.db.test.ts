import { describeBreaks, setUpBackups } from './testing/broken-backups';

setUpBackups(1_500);
describeBreaks(250_000);
