import { createRequire } from 'node:module';
import { defineTool } from '../sdk/define-tool';
import { convert } from './convert';
import { profile } from './profile';
import { query } from './query';
import { validate } from './validate';

export const tool = defineTool({
  name: 'data',
  displayName: 'Data files and SQL',
  subtitle: 'SQL, profiles and conversion of CSV, JSON and Parquet',
  description:
    'Work with tables in files. Ask questions with SQL over CSV, JSON, JSON Lines and Parquet, alone or joined; get to know a file by a profile of its columns; convert between the formats; and check records against a JSON Schema. Everything runs on this gateway, in a sandbox without network.',
  categories: ['data', 'developer'],
  version: '1.0.0',
  skills: [query, profile, convert, validate],
  async findEngine() {
    // Only resolves the module: the library is as large as the gateway, and only workers load it.
    const { platform, arch } = process;
    const search = createRequire(`${process.cwd()}/package.json`);
    for (const variant of ['', '-musl']) {
      try {
        search.resolve(`@duckdb/node-bindings-${platform}-${arch}${variant}/duckdb.node`);
        return null;
      } catch {
        // Try the next variant.
      }
    }
    return {
      reason: 'This gateway has no DuckDB.',
      fix: `Install @duckdb/node-api with its optional packages; there may be none for ${platform}-${arch}.`,
    };
  },
});
