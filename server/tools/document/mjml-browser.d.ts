/** The part of the API that we use; the package ships no types. */
declare module 'mjml-browser' {
  export default function mjml2html(
    source: string,
    options: { validationLevel: 'soft'; keepComments: boolean },
  ): { html: string; errors: { line: number; message: string }[] };
}
