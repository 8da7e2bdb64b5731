import { NO_ERROR_CODE } from '@/server/usage/limits';
import type { UsageErrors, UsageFilter } from '@/server/usage/schema';
import { errorsHref } from './view';

interface ErrorRemedy {
  text: string;
  href: string;
  label: string;
}

/** What helps against failed calls with this tool and code, in short, and where. */
export function findErrorRemedy(
  { tool, error_code: code }: Pick<UsageErrors['errors'][number], 'tool' | 'error_code'>,
  filter: UsageFilter,
): ErrorRemedy {
  const toolPage = `/tools/${encodeURIComponent(tool)}`;
  const messages = {
    href: `${errorsHref({ ...filter, tool, error_code: code })}#calls`,
    label: 'See the messages',
  };
  switch (code) {
    case 'HANDLER_ERROR':
      return { text: 'The tool failed or timed out. Call again later.', ...messages };
    case 'INVALID_INPUT':
      return { text: 'Correct the field that the message names.', ...messages };
    case 'ASSET_NOT_FOUND':
      return {
        text: 'Upload the file again, or correct its id.',
        href: '/dashboard/assets',
        label: 'Open Assets',
      };
    case 'TOOL_UNAVAILABLE':
      return { text: 'Use another tool for now.', href: toolPage, label: 'Why it is unavailable' };
    case NO_ERROR_CODE:
      return { text: 'An earlier version kept no code.', ...messages };
    default:
      return { text: 'The messages say what to do.', ...messages };
  }
}
