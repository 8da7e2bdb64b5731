import { z } from 'zod';
import { defineSkill, defineTool, free, type ToolDefinition } from '../../../tools/sdk/define-tool';
import { wordNumber } from './synthetic-tools';

/** Business APIs, by subject and resources. None answers a request of the gold set. */
const DOMAINS: readonly (readonly [string, string, string])[] = [
  ['crm', 'Sales and customer relationships', 'contact,company,deal,lead,pipeline,note,activity'],
  ['helpdesk', 'Customer support desk', 'ticket,agent,queue,macro,satisfaction rating,view,comment'],
  ['payments', 'Online payments', 'charge,refund,subscription,payout,dispute,coupon,invoice item'],
  ['hr', 'Human resources', 'employee,time off request,department,position,payroll run,benefit'],
  ['commerce', 'Online shop', 'product,order,cart,discount,customer,warehouse,inventory level'],
  ['cms', 'Content management', 'post,media file,author,category,revision,menu,document template'],
  ['accounting', 'Bookkeeping', 'ledger account,journal entry,bill,vendor,tax rate,bank statement,report'],
  ['monitoring', 'Infrastructure monitoring', 'alert,monitor,dashboard,incident,metric,service level,log'],
  ['marketing', 'Marketing automation', 'campaign,audience,segment,form,landing page,template,message'],
  ['learning', 'Online courses', 'course,lesson,enrollment,quiz,certificate,assignment,grade'],
  ['clinic', 'Medical practice', 'patient,prescription,lab result,practitioner,encounter,allergy'],
  ['fleet', 'Vehicle fleets', 'vehicle,driver,trip,fuel record,inspection,maintenance task,geofence'],
  ['projects', 'Project management', 'task,project,milestone,sprint,board,checklist,time entry,attachment'],
  ['cloud', 'Virtual servers', 'instance,volume,disk image,snapshot,load balancer,firewall,database cluster'],
  ['property', 'Property management', 'lease,tenant,unit,rent payment,maintenance request,owner,photo'],
  ['insurance', 'Insurance policies', 'policy,claim,quote,beneficiary,coverage,endorsement,document'],
];

const OPERATIONS = [
  ['list', 'List all', 'Returns a paginated list of', 's. Supports filters, sorting and search by text.'],
  ['get', 'Get a', 'Retrieves the details of an existing', ' by its identifier.'],
  ['create', 'Create a', 'Creates a new', ' from the given fields and returns it.'],
  ['update', 'Update a', 'Changes fields of an existing', '; omitted fields keep their values.'],
  ['delete', 'Delete a', 'Permanently removes a', '. This cannot be undone.'],
] as const;

/** Creates tools of ten skills, as if imported from OpenAPI documents of business software. */
export function importedNoise(count: number): ToolDefinition[] {
  return Array.from({ length: count }, (_, at) => {
    const [domain, subject, list] = DOMAINS[at % DOMAINS.length] as (typeof DOMAINS)[number];
    const resources = list.split(',');
    const vendor = wordNumber(at * 13 + 1);
    return defineTool({
      name: `${vendor}-${domain}-${at}`,
      displayName: `${vendor} ${subject}`,
      subtitle: `${subject}: ${resources.slice(0, 3).join('s, ')}s`,
      description: `The ${vendor} API gives programmatic access to ${resources.join('s, ')}s of your account.`,
      categories: [domain],
      version: '1.0.0',
      skills: [0, 1].flatMap((offset) => {
        const resource = resources[(Math.floor(at / DOMAINS.length) + offset * 2) % resources.length] ?? '';
        return OPERATIONS.map((operation) => importedSkill(resource, operation));
      }),
    });
  });
}

function importedSkill(resource: string, [verb, title, begin, end]: (typeof OPERATIONS)[number]) {
  return defineSkill<Record<string, never>, Record<string, never>>({
    name: `${verb}_${resource.replaceAll(' ', '_')}`,
    displayName: `${title} ${resource}`,
    description: `${begin} ${resource}${end}`,
    input: z.object({}),
    output: z.object({}),
    returns: `The ${resource}.`,
    price: free,
    examples: [],
    annotations: { readOnly: verb === 'list', idempotent: true, destructive: false, estimatedSeconds: 1 },
    run: async () => ({ output: {} }),
  });
}
