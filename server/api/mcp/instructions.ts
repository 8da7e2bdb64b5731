/** What a model is told of this server before anything else. */
export function instructionsOf(baseUrl: string): string {
  return `This gateway has many tools; each has skills. You pay per call from prepaid credit; many skills are free.

1. search_tools: say what you want to do.
2. get_tool: read the skill's input schema and price.
3. call_tool with dry_run true, where you want to check input and price for nothing.
4. call_tool: run it. Failed calls cost nothing.
5. Status pending: the call is a job. Ask get_job with its job_id until it has ended; cancel_job stops it.
6. Files: upload_asset keeps one; tools take its asset_id, or a url. Read files of results as asset://{asset_id}.
7. Errors are objects with code, message and resolution_hint: do what the hint says. After retry_after seconds the same call may work.

search_tools and get_tool work without a key. For the rest send Authorization: Bearer <API key>; POST ${baseUrl}/v1/auth/provision gives one without signing up.`;
}
