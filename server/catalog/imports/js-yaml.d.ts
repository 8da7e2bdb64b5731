/** The part of the API that we use; the package ships no types. */
declare module 'js-yaml' {
  export interface TypeOptions {
    kind: 'scalar';
    resolve: (text: string | null) => boolean;
    construct: (text: string) => unknown;
  }
  class Type implements TypeOptions {
    constructor(tag: string, options: TypeOptions);
    kind: 'scalar';
    resolve: TypeOptions['resolve'];
    construct: TypeOptions['construct'];
  }
  class YAMLException extends Error {
    reason: string;
    mark?: { line: number; column: number };
  }
  interface Schema {
    extend(types: { implicit: Type[] }): Schema;
  }
  const yaml: {
    Type: typeof Type;
    YAMLException: typeof YAMLException;
    FAILSAFE_SCHEMA: Schema;
    types: Record<'null' | 'bool' | 'int' | 'float' | 'merge', Type>;
    load(text: string, options: { schema: Schema }): unknown;
  };
  export default yaml;
}
