import { defineTool } from '../sdk/define-tool';
import { send } from './send';

export const tool = defineTool({
  name: 'email',
  displayName: 'Email',
  subtitle: 'Send email from your own domain, by Resend',
  description:
    'Send e-mails with text, HTML and attachments from a domain of your own, by Resend. Bring your own API key, or use the gateway’s account where it has one.',
  categories: ['communication'],
  version: '1.0.0',
  skills: [send],
});
