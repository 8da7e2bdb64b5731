import { fuzzSkills } from './testing/fuzz-skills';

// One skill of each kind: in-process, in a worker, with a file, with a fetch.
fuzzSkills(5, ['diagnostics.echo', 'math.evaluate', 'text.extract', 'image.inspect', 'web-reader.metadata']);
