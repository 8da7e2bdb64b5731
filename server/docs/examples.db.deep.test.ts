import { describeGuides } from './testing/check-guide';
import { DOCUMENTS, QUICKSTART } from './testing/documents';

describeGuides(DOCUMENTS.filter((file) => file !== QUICKSTART));
