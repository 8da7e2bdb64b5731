import { openProcedure, router } from '../../core/trpc/procedures';
import { refuseMixed, replaceSkills, replaceTools } from './build-definitions';
import { getTool, getToolSkills, listTools, searchTools } from './find-tools';
import { getToolInput, listSkillsInput, listToolsInput, searchToolsInput } from './inputs';
import { foundToolListSchema, toolDetailSchema, toolListSchema, toolSkillsSchema } from './schema';

export const toolsRouter = router({
  list: openProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/tools',
        operationId: 'listTools',
        tags: ['Tools'],
        summary: 'List tools',
        description:
          'Lists the tools with their skills and prices. Get a tool for its schemas and examples, or `include` them.',
      },
      rest: { discovery: true, errors: ['INVALID_INPUT'] },
    })
    .input(listToolsInput)
    .output(toolListSchema)
    .query(async ({ ctx, input }) => {
      ctx.reply.fields = input.fields?.map((field) => `tools.${field}`);
      const { format, ...wanted } = input;
      const found = await listTools(ctx.runtime, wanted);
      return format === undefined ? found : replaceTools(ctx.runtime, found, refuseMixed(format, wanted));
    }),

  search: openProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/tools/search',
        operationId: 'searchTools',
        tags: ['Tools'],
        summary: 'Search tools',
        description:
          'Searches tools by a description of the task in your own words, in English, German, French, Spanish or Japanese. The best match comes first, each with its matching skills; an empty list means that no tool does it.',
      },
      rest: { discovery: true, errors: ['INVALID_INPUT'] },
    })
    .input(searchToolsInput)
    .output(foundToolListSchema)
    .query(async ({ ctx, input: { format, ...wanted } }) => {
      const found = await searchTools(ctx.runtime, wanted);
      return format === undefined ? found : replaceTools(ctx.runtime, found, refuseMixed(format, wanted));
    }),

  get: openProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/tools/{tool}',
        operationId: 'getTool',
        tags: ['Tools'],
        summary: 'Get a tool',
        description: 'Returns a tool: each skill with its input and output schemas, examples and price.',
      },
      rest: { discovery: true, errors: ['INVALID_INPUT', 'TOOL_NOT_FOUND', 'SKILL_NOT_FOUND'] },
    })
    .input(getToolInput)
    .output(toolDetailSchema)
    .query(async ({ ctx, input: { tool: name, format, ...wanted } }) => {
      ctx.reply.fields = wanted.fields;
      const tool = await getTool(ctx.runtime, name, wanted);
      return format === undefined ? tool : replaceSkills(ctx.runtime, tool, refuseMixed(format, wanted));
    }),

  skills: openProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/tools/{tool}/skills',
        operationId: 'listSkills',
        tags: ['Tools'],
        summary: 'List the skills of a tool',
        description: 'Lists the skills of a tool, with schemas, examples and prices.',
      },
      rest: { discovery: true, errors: ['INVALID_INPUT', 'TOOL_NOT_FOUND'] },
    })
    .input(listSkillsInput)
    .output(toolSkillsSchema)
    .query(({ ctx, input: { tool, ...wanted } }) => getToolSkills(ctx.runtime, tool, wanted)),
});
