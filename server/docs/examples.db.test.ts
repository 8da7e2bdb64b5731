import { describeGuides } from './testing/check-guide';
import { QUICKSTART } from './testing/documents';

// The other documents run in the deep suite.
describeGuides([QUICKSTART]);
