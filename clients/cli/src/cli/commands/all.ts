import type { Command } from '../command.js';
import { batch } from './batch.js';
import { call } from './call.js';
import { completion } from './completion.js';
import { assetsDelete, assetsList, download, upload } from './files.js';
import { info, search, tools } from './find.js';
import { login, logout, provision, whoami } from './identity.js';
import { jobsCancel, jobsFollow, jobsGet, jobsList, jobsLog, jobsWait } from './jobs.js';
import { keysCreate, keysList, keysRevoke, keysRotate, keysUpdate } from './keys.js';
import { mcp } from './mcp.js';
import { balance, me, review, topup, usage } from './money.js';
import { receiptGet, receiptVerify } from './receipts.js';
import {
  webhooksCreate,
  webhooksDelete,
  webhooksDeliveries,
  webhooksList,
  webhooksReplay,
  webhooksRotate,
  webhooksSecret,
  webhooksTest,
  webhooksUpdate,
} from './webhooks.js';

/** Every command, in the order in which the help lists them. */
export const COMMANDS: readonly Command[] = [
  search,
  tools,
  info,
  call,
  batch,
  jobsList,
  jobsGet,
  jobsWait,
  jobsFollow,
  jobsLog,
  jobsCancel,
  upload,
  download,
  assetsList,
  assetsDelete,
  me,
  balance,
  usage,
  receiptGet,
  receiptVerify,
  topup,
  review,
  provision,
  login,
  logout,
  whoami,
  keysList,
  keysCreate,
  keysUpdate,
  keysRotate,
  keysRevoke,
  webhooksList,
  webhooksCreate,
  webhooksUpdate,
  webhooksDelete,
  webhooksRotate,
  webhooksTest,
  webhooksDeliveries,
  webhooksReplay,
  webhooksSecret,
  mcp,
  completion,
];

/** Alternative names of commands. */
export const ALIASES: Readonly<Record<string, string>> = {
  config: 'whoami',
  list: 'tools',
  keys: 'keys list',
  jobs: 'jobs list',
  assets: 'assets list',
  webhooks: 'webhooks list',
};
