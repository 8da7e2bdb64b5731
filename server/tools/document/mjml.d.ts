/** The part of the API that we use; the package ships no types. */
declare module 'mjml' {
  export default function mjml2html(
    source: string,
    options: { ignoreIncludes: boolean; validationLevel: 'soft'; keepComments: boolean },
  ): Promise<{ html: string; errors: { line: number; message: string }[] }>;
}
