import { fuzzSkills } from '../testing/fuzz-skills';

// One skill of each kind: in the gateway itself, in a worker, with a file, and one that fetches.
fuzzSkills(5, ['diagnostics.echo', 'math.evaluate', 'text.extract', 'image.inspect', 'web-reader.metadata']);
