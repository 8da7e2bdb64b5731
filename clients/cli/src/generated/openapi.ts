// Made from openapi.json by `npm run openapi`: change the procedures, not this file.

export interface paths {
    "/v1/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tools
         * @description Lists the tools with their skills and prices. Get a tool for its schemas and examples, or `include` them.
         */
        get: operations["listTools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tools/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search tools
         * @description Searches tools by a description of the task in your own words, in English, German, French, Spanish or Japanese. The best match comes first, each with its matching skills; an empty list means that no tool does it.
         */
        get: operations["searchTools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tools/{tool}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a tool
         * @description Returns a tool: each skill with its input and output schemas, examples and price.
         */
        get: operations["getTool"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tools/{tool}/skills": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the skills of a tool
         * @description Lists the skills of a tool, with schemas, examples and prices.
         */
        get: operations["listSkills"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tools/call": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Call a tool
         * @description Runs one skill and charges its price on success; a call that fails costs nothing. With dry_run the call is only checked and priced, and its quote fixes the price for ten minutes: send it as quote_id. With max_cost_usd a call that can cost more is refused.
         */
        post: operations["callTool"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tools/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Call up to ten tools at once
         * @description Runs the calls in parallel, up to the concurrency limit of the key; the others wait. Each call is limited, charged and fails independently; its entry in results has the outcome.
         */
        post: operations["callTools"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{jobId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Resume the stream of a call
         * @description The events of a call after the one named by Last-Event-ID, or all of them, up to its result: while it runs, in whichever process, and afterwards as long as the job exists. None is lost and none repeated. After the last event the answer is 204.
         */
        get: operations["streamJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List jobs
         * @description Jobs of the account, newest first, a page at a time; a restricted key sees its own. poll_url returns the log and result of one.
         */
        get: operations["listJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{jobId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a job
         * @description Returns at once if the job has ended; otherwise waits up to 30 seconds for it to end. Prefer: wait=N shortens the wait.
         */
        get: operations["getJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{jobId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a running job
         * @description Stops the tool. A cancelled job is charged nothing.
         */
        post: operations["cancelJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/assets/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a file
         * @description One file of at most 100 MiB. Its asset_id is an input for every tool that takes a file. Files are stored for 30 days.
         */
        post: operations["uploadAsset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/assets/{assetId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file
         * @description The raw bytes, always as application/octet-stream; the true type is in /meta. Anyone who knows the id can read it.
         */
        get: operations["downloadAsset"];
        put?: never;
        post?: never;
        /**
         * Delete a file
         * @description Deletes a file of the account: its addresses stop working at once. A restricted key deletes only its own. This cannot be undone.
         */
        delete: operations["deleteAsset"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/assets/{assetId}/meta": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the metadata of a file
         * @description Type, size, name and hash of a file, and which tool made it.
         */
        get: operations["getAssetMeta"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/assets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List files
         * @description Files that the account uploaded or its calls created, newest first, a page at a time; a restricted key sees its own.
         */
        get: operations["listAssets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who am I?
         * @description The key of the request, its account, the limits with what remains of them, and what may still be spent and stored. Uses no quota.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/provision": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get a key without signing up
         * @description Issues a key for free tools. A person can claim it later with claim_url; its balance and history are preserved. Limited per client address; FORBIDDEN where the operator has closed it.
         */
        post: operations["provisionKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/claim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Claim a provisioned key
         * @description Moves the keys, credit, history and reviews of a provisional account to yours. The keys keep working, and may manage the account only with `manages_account`. Works once; the same account can repeat it and gets the same response.
         */
        post: operations["claimAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the balance
         * @description What this key can spend, and the accounts it may charge.
         */
        get: operations["getBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/checkout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Buy credit in a browser
         * @description Creates a page on which a person pays. The account is credited when the payment completes; this request charges nothing.
         */
        post: operations["createCheckout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/portal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open the payment page
         * @description A page on which a person sees payments and removes or replaces the saved card. The body is optional.
         */
        post: operations["openPortal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/preferences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the billing preferences
         * @description Auto-recharge and the monthly spending limit.
         */
        get: operations["getPreferences"];
        /**
         * Change the billing preferences
         * @description Changes only the given fields, all or none.
         */
        put: operations["setPreferences"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Issue the invoice of a payment
         * @description Issues the invoice once, with the billing details of the payment (if there were none, with those of this moment), and a credit note for refunds and lost disputes since. Repeating it issues nothing new.
         */
        post: operations["issueInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/machine-topup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Buy credit as a machine
         * @description The "Payment" HTTP scheme (draft-httpauth-payment-01). A request with an API key returns 402 with a challenge for each payment method. Retry it with the same body and `Authorization: Payment …` instead of the key: this credits the account that the challenge was issued for. Sending the same credential again returns the same response; it is paid and credited once.
         */
        post: operations["machineTopUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List keys
         * @description Lists all keys of the account, or of a team you are in, masked, newest first, including revoked keys.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create a key
         * @description Creates a key. The secret is returned only in this response. The body is optional. A key with a credit limit or rules may not manage the account. With `billing`, the key belongs to a team, for its owner and admins: it charges the team only, and never manages it.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a key
         * @description Returns one key, masked, with its spending and what is left of its credit limit.
         */
        get: operations["getKey"];
        put?: never;
        post?: never;
        /**
         * Revoke a key
         * @description Revokes a key: its next request is refused; running calls finish and are charged. This cannot be undone.
         */
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        /**
         * Change a key
         * @description Changes the name, tags and rules of a key, from its next request on. Omitted fields stay as they are; null removes a rule. A key may not change its own rules.
         */
        patch: operations["updateKey"];
        trace?: never;
    };
    "/v1/keys/{id}/credits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Raise the credit limit of a key
         * @description Adds to what the key may spend within the account. It adds no credit to the account.
         */
        post: operations["addKeyCredits"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the secret of a key
         * @description Gives the key a new secret, returned only in this response; its id, history and limits stay. The current secret works until the grace ends, one from an earlier rotation stops at once.
         */
        post: operations["rotateKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook endpoints
         * @description Lists the endpoints of the account, oldest first.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook endpoint
         * @description Creates an endpoint that receives events of the account. The signing secret is returned only in this response.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the secret of call webhooks
         * @description Returns the secret that signs the webhooks of calls that this key makes with `webhook`. Every key has its own.
         */
        get: operations["getWebhookSecret"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook endpoint
         * @description Returns one endpoint, without its secret.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint
         * @description Deletes an endpoint with its deliveries. Nothing more is sent to it.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook endpoint
         * @description Changes the fields that are sent. Disabling an endpoint ends its pending deliveries; enabling it again forgets its failures.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/v1/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the secret of an endpoint
         * @description Returns a new secret, only in this response. The previous one also signs for `overlap_hours`, 24 by default.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event
         * @description Sends a `webhook.test` event to an endpoint, with replays at most 1,000 an hour, 60 before the account is claimed. Read the delivery for the outcome.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of an endpoint
         * @description Lists deliveries, newest first. They are stored for 35 days.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries/{delivery_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a delivery
         * @description Returns one delivery with its payload and the request, response and timing of each attempt.
         */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries/{delivery_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay a delivery
         * @description Sends a delivery again, with the same `webhook-id` and all retries, at most ten times. Counts as a test event.
         */
        post: operations["replayWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/replay-failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay all failed deliveries
         * @description Sends the failed deliveries of an endpoint again, oldest first, at most 1,000 in an hour. Each counts as a test event; the answer says how many were sent.
         */
        post: operations["replayFailedWebhooks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sum up usage
         * @description Calls and cost of a period, by tool, key and time.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List calls
         * @description Calls that ended, newest first, a page at a time.
         */
        get: operations["listUsageHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage/calls/{call_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a call
         * @description A call that ended: why it failed, when it ran, and what it was charged.
         */
        get: operations["getUsageCall"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage/errors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sum up errors
         * @description Failed calls of a period by tool and error code, the most frequent first.
         */
        get: operations["getUsageErrors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage/refusals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sum up refused calls
         * @description Calls that were refused before they ran, such as by a limit: by code, tool and key, and the last 100. They cost nothing and are not in usage.
         */
        get: operations["getUsageRefusals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage/{call_id}/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the receipt of a call
         * @description Signs what a successful call was charged, as a JWS. Its output_sha256 is null if the gateway does not store the output: to have it, send Prefer: receipt with the call.
         */
        get: operations["getReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the keys that sign receipts
         * @description The public keys as a JWK Set (RFC 7517), retired ones included. Fetch it again for an unknown kid.
         */
        get: operations["listReceiptKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reviews": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Review a tool
         * @description Posts a review, free of charge. An account has one review per tool: posting again replaces it.
         */
        post: operations["postReview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/requirements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List providers
         * @description Lists the providers whose keys tools can use. Saving a key is optional.
         */
        get: operations["listRequirements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/requirements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your provider keys
         * @description Lists all providers, with the keys that your account has saved, masked.
         */
        get: operations["listAccountRequirements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/requirements/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Save a provider key
         * @description Saves a key, encrypted; it is never shown again. Calls that use it cost 5% of their price, and the provider bills you. An existing label gets the new value.
         */
        put: operations["saveAccountRequirement"];
        post?: never;
        /**
         * Remove provider keys
         * @description Removes one key by its label, or all of the provider. If the default is removed, the oldest other key becomes the default.
         */
        delete: operations["removeAccountRequirement"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        ToolList: {
            tools: components["schemas"]["Tool"][];
            /**
             * @description The requested format; absent without one.
             * @enum {string}
             */
            format?: "openai" | "anthropic" | "gemini" | "mcp";
            /** @description With format: pass them to the API as its tools. They replace the tools or skills. */
            definitions?: {
                [key: string]: unknown;
            }[];
            /** @description With format: what to send to POST /v1/tools/call, by the name that the model calls. Its arguments are the input. */
            calls?: {
                [key: string]: {
                    tool: string;
                    skill: string;
                };
            };
            /** @description With format: the skills without a definition. */
            omitted?: {
                tool: string;
                skill: string;
                /**
                 * @description unavailable: it cannot be called now, or only with your own provider key. unsupported: the API cannot express its input. limit: the API takes no more.
                 * @enum {string}
                 */
                reason: "unavailable" | "unsupported" | "limit";
            }[];
        };
        Tool: {
            name: string;
            displayName: string;
            subtitle: string;
            description: string;
            categories: string[];
            version: string;
            skills: components["schemas"]["Skill"][];
            rating: {
                average: number | null;
                count: number;
            };
            stats: {
                /** @description From 0 to 1, over 30 days; null if fewer than 20 calls count. Invalid input does not count, and the weight of each account is limited. */
                success_rate: number | null;
                p50_ms: number | null;
                calls_30d: number;
            };
            /**
             * @description The best of its skills.
             * @enum {string}
             */
            availability: "ready" | "needs_provider_key" | "unavailable";
            /** @description Whether `availability` is ready. */
            available: boolean;
            /** @description Why `availability` is not ready. */
            unavailable_reason: string | null;
            /** @description With needs_provider_key: the keys, any one of which makes a skill ready. */
            provider_keys?: {
                /** @description The provider, as in GET /v1/requirements. */
                name: string;
                displayName: string;
                /** @description Where to get a key. */
                acquireUrl: string;
                /** @description The header that carries the key in a call. */
                header: string;
            }[];
            /** @description Present only if the tool is deprecated. */
            deprecated?: components["schemas"]["Deprecated"];
        } & {
            [key: string]: unknown;
        };
        Skill: {
            name: string;
            displayName: string;
            description: string;
            input?: components["schemas"]["JsonSchema"];
            inputSchema?: components["schemas"]["JsonSchema"];
            outputSchema?: components["schemas"]["JsonSchema"];
            returns?: string;
            examples?: {
                description: string;
                input: {
                    [key: string]: unknown;
                };
            }[];
            pricing: components["schemas"]["Pricing"];
            annotations: {
                readOnly: boolean;
                idempotent: boolean;
                destructive: boolean;
                estimatedSeconds: number;
            };
            requirements: string[];
            /**
             * @description ready: every key can call it. needs_provider_key: with your own key of one of `provider_keys`. unavailable: nobody can call it on this gateway now.
             * @enum {string}
             */
            availability: "ready" | "needs_provider_key" | "unavailable";
            /** @description false unless `availability` is ready; otherwise omitted. */
            available?: boolean;
            /** @description Why `availability` is not ready. */
            unavailable_reason?: string;
            /** @description With needs_provider_key: the keys, any one of which is enough. */
            provider_keys?: {
                /** @description The provider, as in GET /v1/requirements. */
                name: string;
                displayName: string;
                /** @description Where to get a key. */
                acquireUrl: string;
                /** @description The header that carries the key in a call. */
                header: string;
            }[];
            /** @description Present only if the skill or its tool is deprecated. */
            deprecated?: components["schemas"]["Deprecated"];
        } & {
            [key: string]: unknown;
        };
        /** @description A JSON Schema (2020-12). */
        JsonSchema: {
            type?: string;
            properties?: {
                [key: string]: unknown;
            };
            required?: string[];
        } & {
            [key: string]: unknown;
        };
        Pricing: {
            free: boolean;
            /** @description The total price of one unit. */
            price_usd: number;
            platform_fee_usd: number;
            provider_cost_usd: number;
            /** @description The unit of the price: call, page, … */
            unit: string;
            /** @description The share of the price that you pay with your own provider key. */
            byok_rate: number;
        } & {
            [key: string]: unknown;
        };
        Deprecated: {
            /** @description When it was deprecated; it still works. */
            since: string;
            /** @description The earliest date it may stop working; null: not decided. */
            sunset: string | null;
            /** @description The replacement, if there is one. */
            replacement: string | null;
            /** @description The documentation. */
            link: string;
        } & {
            [key: string]: unknown;
        };
        FoundToolList: {
            /** @description Best first. Empty if no tool matches well enough. */
            tools: components["schemas"]["FoundTool"][];
            /** @description Only if `tools` is empty: up to three categories whose tools match a part of the request. List their tools with `GET /v1/tools?category=…`. */
            nearest_categories?: string[];
            /**
             * @description The requested format; absent without one.
             * @enum {string}
             */
            format?: "openai" | "anthropic" | "gemini" | "mcp";
            /** @description With format: pass them to the API as its tools. They replace the tools or skills. */
            definitions?: {
                [key: string]: unknown;
            }[];
            /** @description With format: what to send to POST /v1/tools/call, by the name that the model calls. Its arguments are the input. */
            calls?: {
                [key: string]: {
                    tool: string;
                    skill: string;
                };
            };
            /** @description With format: the skills without a definition. */
            omitted?: {
                tool: string;
                skill: string;
                /**
                 * @description unavailable: it cannot be called now, or only with your own provider key. unsupported: the API cannot express its input. limit: the API takes no more.
                 * @enum {string}
                 */
                reason: "unavailable" | "unsupported" | "limit";
            }[];
        };
        FoundTool: {
            name: string;
            displayName: string;
            subtitle: string;
            description: string;
            categories: string[];
            version: string;
            /** @description The matching skills, best first. Get the tool for all of them. */
            skills: components["schemas"]["Skill"][];
            rating: {
                average: number | null;
                count: number;
            };
            stats: {
                /** @description From 0 to 1, over 30 days; null if fewer than 20 calls count. Invalid input does not count, and the weight of each account is limited. */
                success_rate: number | null;
                p50_ms: number | null;
                calls_30d: number;
            };
            /**
             * @description The best of its skills.
             * @enum {string}
             */
            availability: "ready" | "needs_provider_key" | "unavailable";
            /** @description Whether `availability` is ready. */
            available: boolean;
            /** @description Why `availability` is not ready. */
            unavailable_reason: string | null;
            /** @description With needs_provider_key: the keys, any one of which makes a skill ready. */
            provider_keys?: {
                /** @description The provider, as in GET /v1/requirements. */
                name: string;
                displayName: string;
                /** @description Where to get a key. */
                acquireUrl: string;
                /** @description The header that carries the key in a call. */
                header: string;
            }[];
            /** @description Present only if the tool is deprecated. */
            deprecated?: components["schemas"]["Deprecated"];
            /** @description How much of the request the tool matches: the share of its words, weighted by their importance and by where they match. Comparable between requests. */
            score: number;
            /** @description The names of `skills`. */
            matched_skills: string[];
            /** @description How many skills the tool has in all. */
            skill_count: number;
        } & {
            [key: string]: unknown;
        };
        ToolDetail: {
            name: string;
            displayName: string;
            subtitle: string;
            description: string;
            categories: string[];
            version: string;
            skills: components["schemas"]["Skill"][];
            rating: {
                average: number | null;
                count: number;
            };
            stats: {
                /** @description From 0 to 1, over 30 days; null if fewer than 20 calls count. Invalid input does not count, and the weight of each account is limited. */
                success_rate: number | null;
                p50_ms: number | null;
                calls_30d: number;
            };
            /**
             * @description The best of its skills.
             * @enum {string}
             */
            availability: "ready" | "needs_provider_key" | "unavailable";
            /** @description Whether `availability` is ready. */
            available: boolean;
            /** @description Why `availability` is not ready. */
            unavailable_reason: string | null;
            /** @description With needs_provider_key: the keys, any one of which makes a skill ready. */
            provider_keys?: {
                /** @description The provider, as in GET /v1/requirements. */
                name: string;
                displayName: string;
                /** @description Where to get a key. */
                acquireUrl: string;
                /** @description The header that carries the key in a call. */
                header: string;
            }[];
            /** @description Present only if the tool is deprecated. */
            deprecated?: components["schemas"]["Deprecated"];
            /**
             * @description The requested format; absent without one.
             * @enum {string}
             */
            format?: "openai" | "anthropic" | "gemini" | "mcp";
            /** @description With format: pass them to the API as its tools. They replace the tools or skills. */
            definitions?: {
                [key: string]: unknown;
            }[];
            /** @description With format: what to send to POST /v1/tools/call, by the name that the model calls. Its arguments are the input. */
            calls?: {
                [key: string]: {
                    tool: string;
                    skill: string;
                };
            };
            /** @description With format: the skills without a definition. */
            omitted?: {
                tool: string;
                skill: string;
                /**
                 * @description unavailable: it cannot be called now, or only with your own provider key. unsupported: the API cannot express its input. limit: the API takes no more.
                 * @enum {string}
                 */
                reason: "unavailable" | "unsupported" | "limit";
            }[];
        } & {
            [key: string]: unknown;
        };
        ToolSkills: {
            tool: string;
            displayName: string;
            skills: components["schemas"]["Skill"][];
        };
        /** @description A ToolCallResult; with dry_run, a DryRunResult. */
        ToolCallResponse: components["schemas"]["ToolCallResult"] | components["schemas"]["DryRunResult"];
        ToolCallResult: {
            id: string | null;
            /** @enum {string} */
            status: "success" | "error" | "pending";
            /** @description Matches the skill's outputSchema. */
            output?: {
                [key: string]: unknown;
            };
            usage?: {
                /** @description Dollars charged: markup + raw_cost. */
                cost: number;
                /** @constant */
                currency: "USD";
                credits_remaining: number;
                raw_cost: number;
                markup: number;
            } & {
                [key: string]: unknown;
            };
            meta?: {
                tool: string;
                skill: string;
                latency_ms: number;
                billing?: string;
                byok?: boolean;
                /** @description Only where the tool or skill is deprecated. */
                deprecated?: components["schemas"]["Deprecated"];
            } & {
                [key: string]: unknown;
            };
            billed?: boolean;
            job_id?: string;
            poll_url?: string;
            /** @description With Prefer: receipt, of a call that succeeded: a compact JWS about what was charged. */
            receipt?: string;
            /** @description Of a call paid for without a key: the key that holds the rest of the payment. */
            api_key?: string;
            /** @description With api_key: where a person claims its account. */
            claim_url?: string;
            error?: {
                code: string;
                message: string;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        /** @description The response to a call with dry_run: true. */
        DryRunResult: {
            /**
             * @description No result of a call has this status.
             * @constant
             */
            status: "dry_run";
            valid: boolean;
            input_valid: boolean;
            input_errors: {
                path: string;
                code: string;
                message: string;
            }[];
            credentials_ok: boolean;
            /** @description Any one of these keys is enough. */
            missing_credentials: {
                /** @description The provider, as in GET /v1/requirements. */
                name: string;
                displayName: string;
                /** @description Where to get a key. */
                acquireUrl: string;
                /** @description The header that carries the key in a call. */
                header: string;
            }[];
            billing: {
                balance_usd: number;
                sufficient: boolean;
            } & {
                [key: string]: unknown;
            };
            rate_limit: {
                remaining: number;
                limit: number;
            } & {
                [key: string]: unknown;
            };
            estimated_cost_usd: number;
            /** @description Absent if the input is invalid, a provider key is missing, or the key must be claimed. */
            quote?: components["schemas"]["Quote"];
            /** @description With max_cost_usd: whether the call can cost at most that. */
            within_max_cost?: boolean;
            /**
             * @description Of this call, with the provider keys that you sent or saved.
             * @enum {string}
             */
            availability: "ready" | "needs_provider_key" | "unavailable";
            /** @description Why `availability` is unavailable. */
            unavailable_reason?: string;
            /** @description Whether a person must claim the key before this call can run. */
            claim_required: boolean;
            /** @description With claim_required: the link for that person. */
            claim_url?: string;
        } & {
            [key: string]: unknown;
        };
        /** @description The prices of a call, valid for ten minutes. */
        Quote: {
            /** @description Send it as quote_id with the same call. */
            id: string;
            /** @description The most that the call can cost. */
            max_usd: number;
            /**
             * Format: date-time
             * @description Ten minutes after the dry run.
             */
            expires_at: string;
        } & {
            [key: string]: unknown;
        };
        BatchResult: {
            /** @description One result per call, in the order of the calls. */
            results: components["schemas"]["ToolCallResult"][];
        } & {
            [key: string]: unknown;
        };
        JobList: {
            jobs: components["schemas"]["JobSummary"][];
            next_cursor: string | null;
        } & {
            [key: string]: unknown;
        };
        JobSummary: {
            job_id: string;
            call_id: string;
            /**
             * @description pending → running → completed, failed or cancelled.
             * @enum {string}
             */
            status: "pending" | "running" | "completed" | "failed" | "cancelled";
            tool: string;
            skill: string;
            progress: number | null;
            /** Format: date-time */
            created_at: string;
            started_at: string | null;
            finished_at: string | null;
            /** @description From the call to its end, or until now. */
            elapsed_seconds: number;
            /** @description Null until the job has ended. */
            cost_usd: number | null;
            key_id: string;
            key_name: string;
            /** @description The account charged: personal, or the slug of a team. */
            billing: string;
            error: string | null;
            error_code: string | null;
            poll_url: string;
        } & {
            [key: string]: unknown;
        };
        Job: {
            jobId: string;
            /** @description The same as jobId. */
            job_id: string;
            /** @description For GET /v1/usage/calls/{call_id} once it has ended. */
            call_id: string;
            /**
             * @description pending → running → completed, failed or cancelled.
             * @enum {string}
             */
            status: "pending" | "running" | "completed" | "failed" | "cancelled";
            tool: string;
            skill: string;
            /** @description Log lines of the tool so far, in order. */
            logs: string[];
            /** @description From the call to its end, or until now. */
            elapsed_seconds: number;
            /** @description Progress, if the tool reports it. */
            progress?: number;
            /** @description On completed. */
            result?: components["schemas"]["ToolCallResult"];
            /** @description On completed: the result's output. */
            output?: {
                [key: string]: unknown;
            };
            /** @description On completed: what was charged. */
            usage?: {
                /** @description Dollars charged: markup + raw_cost. */
                cost: number;
                /** @constant */
                currency: "USD";
                credits_remaining: number;
                raw_cost: number;
                markup: number;
            } & {
                [key: string]: unknown;
            };
            /** @description On failed and cancelled: why. */
            error?: string;
            error_code?: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            finished_at?: string;
        } & {
            [key: string]: unknown;
        };
        JobCancelled: {
            /** @constant */
            cancelled: true;
            job_id: string;
        } & {
            [key: string]: unknown;
        };
        UploadResult: {
            /** @description An input for every tool that takes a file. */
            asset_id: string;
            /** @description Plain URL of the file, with its true content type. */
            url: string;
            /** @description A page about the file, for people. */
            page_url: string;
            content_type: string;
            size_bytes: number;
        } & {
            [key: string]: unknown;
        };
        DeletedAsset: {
            /** @constant */
            success: true;
            asset_id: string;
        };
        AssetMeta: {
            asset_id: string;
            /** @description Detected from the first bytes; if they are inconclusive, as declared. */
            content_type: string;
            size_bytes: number;
            /** @description The tool that made it; null for an upload. */
            tool: string | null;
            /** @description The skill that made it; null for an upload. */
            skill: string | null;
            /** Format: date-time */
            created_at: string;
            has_thumbnail: boolean;
            filename: string;
            /** @description Hash of the bytes, hexadecimal. */
            sha256: string;
        } & {
            [key: string]: unknown;
        };
        AssetList: {
            assets: components["schemas"]["ListedAsset"][];
            next_cursor: string | null;
        } & {
            [key: string]: unknown;
        };
        ListedAsset: {
            asset_id: string;
            /** @description Detected from the first bytes; if they are inconclusive, as declared. */
            content_type: string;
            size_bytes: number;
            /** @description The tool that made it; null for an upload. */
            tool: string | null;
            /** @description The skill that made it; null for an upload. */
            skill: string | null;
            /** Format: date-time */
            created_at: string;
            has_thumbnail: boolean;
            filename: string;
            /** @description Hash of the bytes, hexadecimal. */
            sha256: string;
            /** @description Plain URL of the file, with its true content type. */
            url: string;
            /** @description A page about the file, for people. */
            page_url: string;
            thumbnail_url: string | null;
            /** @enum {string} */
            kind: "image" | "audio" | "video" | "pdf" | "text" | "other";
            /**
             * Format: date-time
             * @description When the file is deleted.
             */
            expires_at: string;
        } & {
            [key: string]: unknown;
        };
        Me: {
            account: {
                id: string;
                /** @enum {string} */
                type: "provisional" | "personal" | "team";
                slug: string | null;
                name: string;
                /** @description A payment is disputed: paid calls are refused. */
                disputed: boolean;
            } & {
                [key: string]: unknown;
            };
            /** @enum {string} */
            plan: "provisional" | "prepaid";
            key: components["schemas"]["ApiKey"];
            /** @description The key sees and changes only what it created itself. */
            restricted: boolean;
            limits: {
                /** @description The plan of the account; null: none. */
                plan: string | null;
                windows: ({
                    /** @description minute, hour. */
                    name: string;
                    /** @description Calls that the window allows. */
                    limit: number;
                    remaining: number;
                    window_seconds: number;
                    /** @description Until the window ends; its length if no call has started it. */
                    reset_seconds: number;
                } & {
                    [key: string]: unknown;
                })[];
                concurrent: {
                    limit: number;
                    running: number;
                    remaining: number;
                } & {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            };
            allowances: {
                /** @description What the account can spend now. */
                available_usd: number;
                /** @description What the key may still spend; null: no credit limit. */
                key_credits_usd: number | null;
                /** @description Per calendar month (UTC); null: no limit. */
                monthly_limit_usd: number | null;
                spent_this_month_usd: number;
                storage: {
                    used_bytes: number;
                    quota_bytes: number;
                    files: number;
                } & {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        ApiKey: {
            id: string;
            name: string;
            /** @description The masked key: its first 12 and last 4 characters. */
            key_prefix: string;
            /** @enum {string} */
            status: "active" | "revoked";
            /** @description What is left of its credit limit, in dollars; null: no limit. */
            credits: number | null;
            credits_used: number;
            /** @description Whether the key may create keys, buy credit and change settings; never true for a key with `credits` or rules. */
            manages_account: boolean;
            /** @description When the key stops working; null: never. */
            expires_at: string | null;
            expired: boolean;
            /** @description The only tools the key may call, as `tool` or `tool.skill`; null: all. */
            allowed_tools: string[] | null;
            /** @description The only networks the key may be used from, as CIDR; null: all. */
            allowed_ips: string[] | null;
            spend_limit: {
                amount_usd: number;
                /**
                 * @description A calendar period in UTC; weeks begin on Monday.
                 * @enum {string}
                 */
                period: "day" | "week" | "month";
                /** @description Spent or held in the current period. */
                spent_usd: number;
                /** Format: date-time */
                resets_at: string;
            } | null;
            /** @description Limits lower than those of the gateway; null: its limits. */
            rate_limits: {
                per_minute: number | null;
                per_hour: number | null;
                concurrent: number | null;
            } | null;
            tags: string[];
            /** @description Until when the secret before the last rotation works; null: it does not. */
            previous_secret_expires_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** @description When its last call ended; refused calls and other requests do not count. */
            last_used_at: string | null;
        } & {
            [key: string]: unknown;
        };
        ProvisionResponse: {
            /** @description Returned only in this response. Send it as Authorization: Bearer <key>. */
            api_key: string;
            key_prefix: string;
            /** @description A link for a person to claim the account; keys, balance and history are preserved. */
            claim_url: string;
            account_id: string;
            message: string;
            onboarding: {
                welcome: string;
                /** @description A curl command, ready to run. */
                first_call: string;
                docs_url: string;
                skill_url: string;
            };
        } & {
            [key: string]: unknown;
        };
        ClaimResult: {
            /** @description The account that now owns the keys, balance and history. */
            account_id: string;
            keys_moved: components["schemas"]["ApiKey"][];
            credits_moved_usd: number;
        } & {
            [key: string]: unknown;
        };
        BillingBalance: {
            /** @description What can be spent now: the balance minus the holds of running calls. */
            available_usd: number;
            /** @description What a refund or a lost dispute left to pay; the next credit pays it first. Absent if there is none. */
            debt_usd?: number;
            /** @enum {string} */
            plan: "provisional" | "prepaid";
            accounts: ({
                id: string;
                /** @enum {string} */
                type: "provisional" | "personal" | "team";
                slug: string | null;
                name: string;
                /** @enum {string} */
                role: "owner" | "admin" | "member";
                available_usd: number;
                debt_usd?: number;
                /** @description A payment is disputed: paid calls are refused. */
                disputed: boolean;
            } & {
                [key: string]: unknown;
            })[];
            top_up_hint: string;
        } & {
            [key: string]: unknown;
        };
        Checkout: {
            /** @description The payment page: give this URL to a person. */
            url: string;
            /** @description US dollars. */
            credit_usd: number;
            /** @description US dollars. */
            fee_usd: number;
            /** @description The amount charged: credit plus fee. */
            total_usd: number;
            order_id: string;
            /** Format: date-time */
            expires_at: string;
        } & {
            [key: string]: unknown;
        };
        Portal: {
            /** @description A page for a person to manage payments and the saved card. */
            url: string;
        } & {
            [key: string]: unknown;
        };
        Preferences: {
            autoReloadEnabled: boolean;
            /** @description A call that leaves less than this starts a reload. */
            autoReloadThreshold: number;
            /** @description Credit that one reload buys; the fee is added. */
            autoReloadAmount: number;
            /** @description The most credit that auto-recharge buys in 24 hours; it also makes at most 3 charges an hour and 10 in 24 hours. */
            autoReloadDailyLimit: number;
            /** @description Maximum spending in a calendar month (UTC); null: no limit. */
            budgetLimit: number | null;
            /** @description The highest monthly limit that the operator allows; null: any, or none. */
            budgetLimitMax: number | null;
            spent_this_month_usd: number;
            /**
             * Format: date-time
             * @description When the next month (UTC) begins.
             */
            spending_resets_at: string;
            /** @description Whether the owner and admins get an email at 50, 80 and 100% of `budgetLimit`, and when a limit of a key, or of a member, begins to refuse calls. */
            budgetAlerts: boolean;
            /** @description The card that a reload charges; null: no card, so no charges. */
            saved_card: {
                brand: string;
                last4: string;
                exp_month: number;
                exp_year: number;
            } | null;
            /** @description When declined charges or a cap switched auto-recharge off; null once it is switched on again. */
            auto_reload_stopped_at: string | null;
            /** @description The reason: three declines in a row, three charges in an hour, ten in a day, or `autoReloadDailyLimit`. */
            auto_reload_stopped_reason: ("declined" | "hourly_cap" | "daily_cap" | "daily_limit") | null;
        } & {
            [key: string]: unknown;
        };
        IssuedInvoices: {
            invoices: components["schemas"]["Invoice"][];
        } & {
            [key: string]: unknown;
        };
        Invoice: {
            invoice_id: string;
            /** @description Without gaps per seller and year, for example `2026-000001`. */
            number: string;
            /** @enum {string} */
            kind: "invoice" | "credit_note";
            payment_id: string;
            /** Format: date-time */
            issued_at: string;
            /** @description What was paid, or given back by a credit note. */
            total_usd: number;
            /** @description Issued for a payment in test mode: not an invoice. */
            test: boolean;
            /** @description The PDF, for a signed-in owner or admin of the account. */
            pdf_url: string;
        } & {
            [key: string]: unknown;
        };
        MachineTopUpResult: {
            /** @description The credit added. */
            credited_usd: number;
            /** @description The amount charged: credit plus fee. */
            charged_usd: number;
            /** @description The account balance right after the top-up, including what running calls hold. */
            balance_usd: number;
            /** @description The payment: `pi_…`, or `sandbox_…` for a simulated payment. */
            payment_ref: string;
        } & {
            [key: string]: unknown;
        };
        CreatedApiKey: {
            id: string;
            name: string;
            /** @description The masked key: its first 12 and last 4 characters. */
            key_prefix: string;
            /** @enum {string} */
            status: "active" | "revoked";
            /** @description What is left of its credit limit, in dollars; null: no limit. */
            credits: number | null;
            credits_used: number;
            /** @description Whether the key may create keys, buy credit and change settings; never true for a key with `credits` or rules. */
            manages_account: boolean;
            /** @description When the key stops working; null: never. */
            expires_at: string | null;
            expired: boolean;
            /** @description The only tools the key may call, as `tool` or `tool.skill`; null: all. */
            allowed_tools: string[] | null;
            /** @description The only networks the key may be used from, as CIDR; null: all. */
            allowed_ips: string[] | null;
            spend_limit: {
                amount_usd: number;
                /**
                 * @description A calendar period in UTC; weeks begin on Monday.
                 * @enum {string}
                 */
                period: "day" | "week" | "month";
                /** @description Spent or held in the current period. */
                spent_usd: number;
                /** Format: date-time */
                resets_at: string;
            } | null;
            /** @description Limits lower than those of the gateway; null: its limits. */
            rate_limits: {
                per_minute: number | null;
                per_hour: number | null;
                concurrent: number | null;
            } | null;
            tags: string[];
            /** @description Until when the secret before the last rotation works; null: it does not. */
            previous_secret_expires_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** @description When its last call ended; refused calls and other requests do not count. */
            last_used_at: string | null;
            /** @description Returned only in this response: the gateway stores a hash. Omitted when an Idempotency-Key replays the response. */
            secret?: string;
        } & {
            [key: string]: unknown;
        };
        ApiKeyList: {
            keys: components["schemas"]["ApiKey"][];
        };
        RevokedKey: {
            /** @constant */
            success: true;
            id: string;
        };
        WebhookEndpointWithSecret: {
            id: string;
            url: string;
            description: string | null;
            events: string[];
            /** @enum {string} */
            status: "enabled" | "disabled";
            /** @description `failing`: every attempt failed for five days; `gone`: it answered 410. */
            disabled_reason: ("manual" | "failing" | "gone") | null;
            disabled_at: string | null;
            /** @description The first failure without a success since. */
            failing_since: string | null;
            /** @description Until then, the secret before the last rotation also signs. */
            previous_secret_expires_at: string | null;
            /** @description The newest delivery; null before the first. */
            last_delivery: components["schemas"]["WebhookLastDelivery"] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description The signing secret, returned only in this response. */
            secret: string;
        } & {
            [key: string]: unknown;
        };
        WebhookLastDelivery: {
            id: string;
            type: string;
            /** @enum {string} */
            state: "pending" | "delivered" | "failed";
            /** @description Of the last response; null if there was none. */
            status: number | null;
            /** @description Why the last attempt failed. */
            error: string | null;
            /** @description The time of the last attempt; null before it. */
            attempted_at: string | null;
        } & {
            [key: string]: unknown;
        };
        WebhookEndpointList: {
            webhooks: components["schemas"]["WebhookEndpoint"][];
        } & {
            [key: string]: unknown;
        };
        WebhookEndpoint: {
            id: string;
            url: string;
            description: string | null;
            events: string[];
            /** @enum {string} */
            status: "enabled" | "disabled";
            /** @description `failing`: every attempt failed for five days; `gone`: it answered 410. */
            disabled_reason: ("manual" | "failing" | "gone") | null;
            disabled_at: string | null;
            /** @description The first failure without a success since. */
            failing_since: string | null;
            /** @description Until then, the secret before the last rotation also signs. */
            previous_secret_expires_at: string | null;
            /** @description The newest delivery; null before the first. */
            last_delivery: components["schemas"]["WebhookLastDelivery"] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        } & {
            [key: string]: unknown;
        };
        WebhookSecret: {
            /** @description The secret that signs the webhooks of the calls of this key. */
            secret: string;
            key_id: string;
        } & {
            [key: string]: unknown;
        };
        DeletedWebhook: {
            /** @constant */
            success: true;
            id: string;
        } & {
            [key: string]: unknown;
        };
        WebhookDelivery: {
            id: string;
            /** @description The `webhook-id` header of every attempt. */
            event_id: string;
            type: string;
            /** @enum {string} */
            state: "pending" | "delivered" | "failed";
            /** @description Since the delivery was created or replayed. */
            attempts: number;
            next_attempt_at: string | null;
            last_status: number | null;
            last_error: string | null;
            /** Format: date-time */
            created_at: string;
            finished_at: string | null;
        } & {
            [key: string]: unknown;
        };
        WebhookDeliveryList: {
            deliveries: components["schemas"]["WebhookDelivery"][];
            next_cursor: string | null;
        } & {
            [key: string]: unknown;
        };
        WebhookDeliveryDetail: {
            id: string;
            /** @description The `webhook-id` header of every attempt. */
            event_id: string;
            type: string;
            /** @enum {string} */
            state: "pending" | "delivered" | "failed";
            /** @description Since the delivery was created or replayed. */
            attempts: number;
            next_attempt_at: string | null;
            last_status: number | null;
            last_error: string | null;
            /** Format: date-time */
            created_at: string;
            finished_at: string | null;
            /** @description The body that is sent. */
            payload: {
                [key: string]: unknown;
            };
            /** @description All attempts, newest first, at most 100. */
            log: components["schemas"]["WebhookAttempt"][];
        } & {
            [key: string]: unknown;
        };
        WebhookAttempt: {
            /** Format: date-time */
            at: string;
            url: string;
            /** @description Without the signature. */
            request_headers: {
                [key: string]: string;
            };
            /** @description Null if there was no response. */
            status: number | null;
            /** @description Its first 2 KiB. */
            response_body: string | null;
            error: string | null;
            duration_ms: number;
        } & {
            [key: string]: unknown;
        };
        ReplayedDeliveries: {
            /** @description How many failed deliveries are sent again. */
            replayed: number;
        } & {
            [key: string]: unknown;
        };
        UsageSummary: {
            /** @enum {string} */
            period: "day" | "week" | "month" | "all";
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            key_id: string | null;
            calls: number;
            succeeded: number;
            failed: number;
            cost_usd: number;
            raw_cost_usd: number;
            byok_calls: number;
            by_tool: {
                tool: string;
                calls: number;
                cost_usd: number;
                failed: number;
                avg_latency_ms: number;
            }[];
            by_key: {
                key_id: string;
                name: string;
                calls: number;
                cost_usd: number;
            }[];
            /** @description Hours for a day, else days; UTC. */
            by_time: {
                /** Format: date-time */
                at: string;
                calls: number;
                cost_usd: number;
            }[];
        } & {
            [key: string]: unknown;
        };
        UsageHistory: {
            records: components["schemas"]["UsageRecord"][];
            next_cursor: string | null;
        } & {
            [key: string]: unknown;
        };
        UsageRecord: {
            id: string;
            /** Format: date-time */
            created_at: string;
            tool: string;
            skill: string;
            /** @enum {string} */
            status: "success" | "error" | "pending";
            cost_usd: number;
            raw_cost_usd: number;
            markup_usd: number;
            /** @description The account charged: personal, or the slug of a team. */
            billing: string;
            byok: boolean;
            key_id: string;
            key_name: string;
            latency_ms: number;
            job_id: string | null;
            error_code: string | null;
            /** @description On a failure, the message of its response, without secrets and shortened. Null for calls of other members of a team. */
            error_message: string | null;
            /** @description X-Request-Id of the request that made the call; the calls of a batch share one. */
            request_id: string | null;
        } & {
            [key: string]: unknown;
        };
        UsageCallRecord: {
            id: string;
            /** Format: date-time */
            created_at: string;
            tool: string;
            skill: string;
            /** @enum {string} */
            status: "success" | "error" | "pending";
            cost_usd: number;
            raw_cost_usd: number;
            markup_usd: number;
            /** @description The account charged: personal, or the slug of a team. */
            billing: string;
            byok: boolean;
            key_id: string;
            key_name: string;
            latency_ms: number;
            job_id: string | null;
            error_code: string | null;
            /** @description On a failure, the message of its response, without secrets and shortened. Null for calls of other members of a team. */
            error_message: string | null;
            /** @description X-Request-Id of the request that made the call; the calls of a batch share one. */
            request_id: string | null;
            /** Format: date-time */
            finished_at: string;
            /** @description The status of a response with this outcome; a batch answers 200, and a job 202. */
            http_status: number | null;
            /** @description On a failure: what to do next. */
            resolution_hint: string | null;
            /** @description The most that the call could cost. Null if it cost that, or is not known. */
            max_cost_usd: number | null;
            /** @description How often the tool was started. Null if it is not known any more. */
            attempts: number | null;
            /** @description When the tool was first started: of a queued call, later than created_at. */
            started_at: string | null;
            /** @description The entry of its charge; null if nothing was charged. */
            ledger_entry: ({
                id: string;
                /** @description Negative: it left the account. */
                amount_usd: number;
                /** Format: date-time */
                created_at: string;
            } & {
                [key: string]: unknown;
            }) | null;
        } & {
            [key: string]: unknown;
        };
        UsageErrors: {
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            /** @enum {string} */
            unit: "hour" | "day" | "week" | "month";
            /** @description Failed calls of the period. */
            failed: number;
            /** @description Keys with failed calls. */
            keys: number;
            first_at: string | null;
            last_at: string | null;
            /** @description Set if only the newest 50,000 failed calls were counted: since when. */
            counted_from: string | null;
            /** @description When each part of a trend begins; UTC. */
            trend_at: string[];
            /** @description By tool and code, the most frequent first. */
            errors: ({
                tool: string;
                error_code: string;
                calls: number;
                /** @description Keys whose calls failed so. */
                keys: number;
                /**
                 * Format: date-time
                 * @description When the first of these calls ended.
                 */
                first_at: string;
                /** Format: date-time */
                last_at: string;
                /** @description Calls over the period, in the parts of trend_at. */
                trend: number[];
            } & {
                [key: string]: unknown;
            })[];
            /** @description Rows beyond the first 100. */
            errors_left_out: number;
        } & {
            [key: string]: unknown;
        };
        UsageRefusals: {
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            /** @enum {string} */
            unit: "hour" | "day" | "week" | "month";
            /** @description When each part of a trend begins; UTC. */
            trend_at: string[];
            /** @description Calls that were refused before they ran, to the minute. */
            refused: number;
            /** @description Keys with refused calls. */
            keys: number;
            last_at: string | null;
            /** @description By code and limit, the most frequent first. */
            by_code: ({
                error_code: string;
                /** @description The `limit` of the error, such as key or minute. */
                limit: string | null;
                keys: number;
                /**
                 * Format: date-time
                 * @description When the first of these calls was refused, to the minute.
                 */
                first_at: string;
                /** @description Calls over the period, in the parts of trend_at. */
                trend: number[];
                refused: number;
                /**
                 * Format: date-time
                 * @description When the last of these calls was refused.
                 */
                last_at: string;
            } & {
                [key: string]: unknown;
            })[];
            /** @description The most frequent first, at most 100. */
            by_tool: ({
                /** @description Null if no tool has the name that the calls gave. */
                tool: string | null;
                refused: number;
                /**
                 * Format: date-time
                 * @description When the last of these calls was refused.
                 */
                last_at: string;
            } & {
                [key: string]: unknown;
            })[];
            /** @description The most frequent first, at most 100. */
            by_key: ({
                /** @description Null for calls without a key, and for those beyond the bounds. */
                key_id: string | null;
                name: string;
                refused: number;
                /**
                 * Format: date-time
                 * @description When the last of these calls was refused.
                 */
                last_at: string;
            } & {
                [key: string]: unknown;
            })[];
            /** @description The last of these calls, at most 100, newest first. */
            last: ({
                id: string;
                /** Format: date-time */
                at: string;
                /** @description X-Request-Id; the calls of a batch share one. */
                request_id: string;
                key_id: string | null;
                /** @description As the call named it; empty if it named none. */
                tool: string;
                skill: string;
                error_code: string;
                message: string;
            } & {
                [key: string]: unknown;
            })[];
        } & {
            [key: string]: unknown;
        };
        Receipt: {
            /** @description A compact JWS, signed with a key of /.well-known/jwks.json. */
            receipt: string;
            /** @description The signed claims, decoded. */
            claims: components["schemas"]["ReceiptClaims"];
        } & {
            [key: string]: unknown;
        };
        ReceiptClaims: {
            /** @description The base URL of the gateway that signed it. */
            iss: string;
            /** @description When it was signed, in seconds since 1970. */
            iat: number;
            /** @description The id of the call. */
            jti: string;
            /** @description The charged account. */
            account: string;
            /** @description The id of the API key that made the call. */
            key: string;
            tool: string;
            skill: string;
            /** @description What was charged, with six decimals: "0.250000". */
            cost_usd: string;
            /** @description The same in millionths of a dollar. */
            cost_microusd: number;
            /** @constant */
            currency: "USD";
            /** @description The call used your own provider key. */
            byok: boolean;
            /** Format: date-time */
            called_at: string;
            /** Format: date-time */
            finished_at: string;
            /** @description SHA-256 of the output as canonical JSON (RFC 8785), hexadecimal. Null if the gateway no longer has the output: it stores only a job's. */
            output_sha256: string | null;
        } & {
            [key: string]: unknown;
        };
        ReceiptKeys: {
            /** @description Retired keys stay listed. */
            keys: ({
                /** @constant */
                kty: "OKP";
                /** @constant */
                crv: "Ed25519";
                /** @description The public key, base64url. */
                x: string;
                kid: string;
                /** @constant */
                alg: "EdDSA";
                /** @constant */
                use: "sig";
            } & {
                [key: string]: unknown;
            })[];
        } & {
            [key: string]: unknown;
        };
        Review: {
            id: string;
            tool: string;
            rating: number;
            review: string | null;
            /** @description Whether the account has called the tool successfully. */
            verified: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        } & {
            [key: string]: unknown;
        };
        RequirementList: {
            requirements: components["schemas"]["Requirement"][];
        };
        Requirement: {
            /** @description The name of the provider; its header is X-Provider-Key-<name>. */
            name: string;
            /** @description api_key. */
            type: string;
            displayName: string;
            description: string;
            /** @description Where to get a key. */
            acquireUrl: string;
            /** @description How to get a key, in a few sentences of plain text. */
            setupGuide: string;
            /** @description The tools that can use it. */
            registeredBy: string[];
        } & {
            [key: string]: unknown;
        };
        AccountRequirementList: {
            requirements: components["schemas"]["AccountRequirement"][];
        };
        AccountRequirement: {
            /** @description The name of the provider; its header is X-Provider-Key-<name>. */
            name: string;
            /** @description api_key. */
            type: string;
            displayName: string;
            description: string;
            /** @description Where to get a key. */
            acquireUrl: string;
            /** @description How to get a key, in a few sentences of plain text. */
            setupGuide: string;
            /** @description The tools that can use it. */
            registeredBy: string[];
            /** @description Whether a key is saved. */
            configured: boolean;
            /** @description The saved keys, masked, oldest first. */
            entries: components["schemas"]["CredentialEntry"][];
        } & {
            [key: string]: unknown;
        };
        CredentialEntry: {
            label: string;
            /** @description The masked key, the only form in which it is shown. */
            masked: string;
            /** @description Whether calls use this key. */
            is_default: boolean;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description When the key was last saved.
             */
            updated_at: string;
            /** @description When a request last used the key, to the minute. */
            last_used_at: string | null;
        } & {
            [key: string]: unknown;
        };
        RemovedCredential: {
            /** @constant */
            success: true;
            name: string;
        };
        /** @description The response body of every failure. */
        Error: {
            /** @constant */
            status: "error";
            error: {
                /**
                 * @description Stable; branch on this.
                 * @enum {string}
                 */
                code: "TOOL_NOT_FOUND" | "SKILL_NOT_FOUND" | "NOT_FOUND" | "ASSET_NOT_FOUND" | "INVALID_INPUT" | "JOB_NOT_RUNNING" | "AUTH_REQUIRED" | "AUTH_FAILED" | "MISSING_CREDENTIALS" | "INSUFFICIENT_CREDITS" | "COST_LIMIT_EXCEEDED" | "CLAIM_REQUIRED" | "FORBIDDEN" | "KEY_RESTRICTED" | "TOOL_NOT_ALLOWED" | "IP_NOT_ALLOWED" | "METHOD_NOT_ALLOWED" | "PAYLOAD_TOO_LARGE" | "PRECONDITION_FAILED" | "RANGE_NOT_SATISFIABLE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_IN_PROGRESS" | "IDEMPOTENCY_MISMATCH" | "CLAIM_CONFLICT" | "RATE_LIMIT_EXCEEDED" | "SPENDING_LIMIT_EXCEEDED" | "JOBS_DISABLED" | "HANDLER_ERROR" | "TOOL_UNAVAILABLE" | "INTERNAL" | "UNAVAILABLE";
                /** @description For people; may change. */
                message: string;
                /** @enum {string} */
                type: "auth" | "billing" | "rate_limit" | "validation" | "provider" | "not_found" | "server";
                /** @description What to do next. */
                resolution_hint: string;
                /** @description The documentation of this code. */
                doc_url?: string;
                /** @description Whole seconds, the same as Retry-After. */
                retry_after?: number;
                /** @description On tool calls: whether anything was charged. */
                billed?: boolean;
                request_id?: string;
                /** @description On a call that started: its id, for GET /v1/usage/calls/{call_id}. */
                call_id?: string;
                /** @description On CLAIM_REQUIRED and on a call paid for without a key: where a person claims the account. */
                claim_url?: string;
                /** @description On a call paid for without a key: the key that holds what was paid. */
                api_key?: string;
                fields?: {
                    path: string;
                    message: string;
                }[];
                /** @description The limit that was exceeded. */
                limit?: string;
                top_up?: {
                    url: string;
                };
                /** @description On COST_LIMIT_EXCEEDED: the most that the call, or the batch, can cost. */
                quote?: {
                    max_usd: number;
                    id?: string;
                    /** Format: date-time */
                    expires_at?: string;
                } & {
                    [key: string]: unknown;
                };
                /** @description On COST_LIMIT_EXCEEDED: the input fields that set the price. */
                cost_fields?: string[];
                /** @description On MISSING_CREDENTIALS: the provider keys, any one of which is sufficient. */
                missing?: {
                    /** @description The provider, as in GET /v1/requirements. */
                    name: string;
                    displayName: string;
                    /** @description Where to get a key. */
                    acquireUrl: string;
                    /** @description The header that carries the key in a call. */
                    header: string;
                }[];
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        /** @description Why a payment is required or was refused. */
        PaymentProblem: {
            /** @description `https://paymentauth.org/problems/…`; branch on this. */
            type: string;
            title: string;
            status: number;
            /** @description For people; may change. */
            detail: string;
            /** @description The first challenge in WWW-Authenticate. On every 402; always a fresh one. */
            challengeId?: string;
        } & {
            [key: string]: unknown;
        };
        CallToolRequest: {
            /** @description The name of the tool. */
            tool: string;
            /** @description The name of the skill. */
            skill: string;
            /** @description An object that matches the skill's input schema. */
            input: {
                [key: string]: unknown;
            };
            /** @description The account to charge: personal (the default), team, or the slug of a team. A key of a team charges that team; leave it out. */
            billing?: string;
            /** @description Check and price the call without running or charging it. */
            dry_run?: boolean;
            /** @description The most that the call may cost, in dollars. If its quote is higher, the call is refused. */
            max_cost_usd?: number;
            /** @description The id of a quote from a dry run of the same call: the call is charged at its prices, within ten minutes. */
            quote_id?: string;
            /** @description An https URL that receives the end of the job, if the call becomes one (202). Signed with the secret of GET /v1/webhooks/secret. */
            webhook?: string;
        };
        CallToolsRequest: {
            /** @description One to ten calls. They run in parallel; the results are in the same order. */
            calls: {
                /** @description The name of the tool. */
                tool: string;
                /** @description The name of the skill. */
                skill: string;
                /** @description An object that matches the skill's input schema. */
                input: {
                    [key: string]: unknown;
                };
                /** @description The most that the call may cost, in dollars. If its quote is higher, the call is refused. */
                max_cost_usd?: number;
                /** @description The id of a quote from a dry run of the same call: the call is charged at its prices, within ten minutes. */
                quote_id?: string;
            }[];
            /** @description The account to charge: personal (the default), team, or the slug of a team. A key of a team charges that team; leave it out. */
            billing?: string;
            /** @description The most that all calls may cost together, in dollars. If the sum of their quotes is higher, none runs. */
            max_cost_usd?: number;
        };
        ProvisionKeyRequest: Record<string, never>;
        ClaimAccountRequest: {
            /** @description The token from claim_url. */
            token: string;
            /** @description Whether the claimed keys may manage the account: create keys, buy credit, change settings. Default: false. */
            manages_account?: boolean;
        };
        CreateCheckoutRequest: {
            /** @description Credit to buy, in US dollars and whole cents, 1 to 10,000; the fee is added. */
            amount_usd: number;
            /** @description The buyer agrees that the card is saved and charged later by auto-recharge. */
            save_card?: boolean;
            /** @description `personal` (the default), `team`, or the slug of one of your teams. */
            billing?: string;
        };
        OpenPortalRequest: {
            /** @description `personal` (the default), `team`, or the slug of one of your teams. */
            billing?: string;
        };
        SetPreferencesRequest: {
            autoReloadEnabled?: boolean;
            autoReloadThreshold?: number;
            /** @description Less than `autoReloadThreshold` may need several reloads: three an hour at most. */
            autoReloadAmount?: number;
            /** @description The most credit that auto-recharge buys in 24 hours, at least `autoReloadAmount`. */
            autoReloadDailyLimit?: number;
            /** @description Null removes the limit. */
            budgetLimit?: number | null;
            /** @description Email the owner and admins at 50, 80 and 100% of `budgetLimit`. */
            budgetAlerts?: boolean;
            /** @description `personal` (the default), `team`, or the slug of one of your teams. */
            billing?: string;
        };
        IssueInvoiceRequest: {
            payment_id: string;
        };
        MachineTopUpRequest: {
            /** @description Credit to buy, in US dollars and whole cents, 1 to 500; the fee is added. */
            amount_usd: number;
            /** @description `personal` (the default), `team`, or the slug of one of your teams. */
            billing?: string;
        };
        CreateKeyRequest: {
            /** @description A name for the key, shown in lists and in usage. */
            name?: string;
            /** @description A credit limit: the most the key may spend in total, in dollars. Omit it for no limit. */
            credits?: number;
            /** @description The account of the keys: personal (the default), team, or the slug of a team. */
            billing?: string;
            /** @description When the key stops working; null: never. */
            expires_at?: string | null;
            /** @description The only tools the key may call, as `tool` or `tool.skill`; null: all. */
            allowed_tools?: string[] | null;
            /** @description The only networks the key may be used from, as CIDR; null: all. */
            allowed_ips?: string[] | null;
            /** @description The most that calls of the key may cost in a calendar period; null: no limit. A call counts in the period in which it begins. */
            spend_limit?: {
                /** @description Dollars per period. */
                amount_usd: number;
                /**
                 * @description A calendar period in UTC; weeks begin on Monday.
                 * @enum {string}
                 */
                period: "day" | "week" | "month";
            } | null;
            /** @description Lower limits than those of the gateway; null: its limits. Replaces all three. */
            rate_limits?: {
                /** @description At most the limit of the account; null or omitted: that limit. */
                per_minute?: number | null;
                /** @description At most the limit of the account; null or omitted: that limit. */
                per_hour?: number | null;
                /** @description At most the limit of the account; null or omitted: that limit. */
                concurrent?: number | null;
            } | null;
            /** @description Labels to filter usage by; they change no rights. */
            tags?: string[];
        };
        AddKeyCreditsRequest: {
            /** @description Dollars to add to the credit limit. */
            amount: number;
        };
        UpdateKeyRequest: {
            /** @description A name for the key, shown in lists and in usage. */
            name?: string;
            /** @description When the key stops working; null: never. */
            expires_at?: string | null;
            /** @description The only tools the key may call, as `tool` or `tool.skill`; null: all. */
            allowed_tools?: string[] | null;
            /** @description The only networks the key may be used from, as CIDR; null: all. */
            allowed_ips?: string[] | null;
            /** @description The most that calls of the key may cost in a calendar period; null: no limit. A call counts in the period in which it begins. */
            spend_limit?: {
                /** @description Dollars per period. */
                amount_usd: number;
                /**
                 * @description A calendar period in UTC; weeks begin on Monday.
                 * @enum {string}
                 */
                period: "day" | "week" | "month";
            } | null;
            /** @description Lower limits than those of the gateway; null: its limits. Replaces all three. */
            rate_limits?: {
                /** @description At most the limit of the account; null or omitted: that limit. */
                per_minute?: number | null;
                /** @description At most the limit of the account; null or omitted: that limit. */
                per_hour?: number | null;
                /** @description At most the limit of the account; null or omitted: that limit. */
                concurrent?: number | null;
            } | null;
            /** @description Labels to filter usage by; they change no rights. */
            tags?: string[];
        };
        RotateKeyRequest: {
            /** @description How long the current secret works on; 0 or omitted: not at all. */
            grace_seconds?: number;
        };
        CreateWebhookRequest: {
            /** @description An https URL on the public internet that accepts POST. */
            url: string;
            /** @description The event types to send. */
            events: ("job.completed" | "job.failed" | "job.cancelled" | "key.claimed" | "key.expiring" | "balance.low" | "spending_limit.reached" | "auto_recharge.failed")[];
            /** @description A note for yourself, shown in lists. */
            description?: string;
        };
        UpdateWebhookRequest: {
            /** @description An https URL on the public internet that accepts POST. */
            url?: string;
            /** @description The event types to send. */
            events?: ("job.completed" | "job.failed" | "job.cancelled" | "key.claimed" | "key.expiring" | "balance.low" | "spending_limit.reached" | "auto_recharge.failed")[];
            /** @description A note for yourself, shown in lists. */
            description?: string;
            /** @description False disables the endpoint; true enables it again. */
            enabled?: boolean;
        };
        RotateWebhookSecretRequest: {
            /** @description How long the previous secret also signs: 24 by default, 0 if it is compromised. */
            overlap_hours?: number;
        };
        PostReviewRequest: {
            /** @description The name of the tool. */
            tool: string;
            /** @description Stars, an integer from 1 to 5. */
            rating: number;
            /** @description In your own words; plain text. */
            review?: string;
        };
        SaveAccountRequirementRequest: {
            /** @description The key, without white space. Stored encrypted, never shown again. */
            value: string;
            /** @description A name for this key. Optional while it is the only key of the provider; then it is "default". */
            label?: string;
            /** @description true: calls use this key from now on. The first key of a provider is always its default. */
            is_default?: boolean;
        };
    };
    responses: never;
    parameters: {
        /** @description Your own key for OpenAI (https://platform.openai.com/api-keys), for this request only: takes precedence over a saved key, is sent only to OpenAI, and is never stored or logged. A call that uses it costs 5% of its price. Ignored by skills without openai in their requirements. */
        ProviderKey_openai: string;
        /** @description Your own key for Anthropic (https://console.anthropic.com/settings/keys), for this request only: takes precedence over a saved key, is sent only to Anthropic, and is never stored or logged. A call that uses it costs 5% of its price. Ignored by skills without anthropic in their requirements. */
        ProviderKey_anthropic: string;
        /** @description Your own key for Tavily (https://app.tavily.com/home), for this request only: takes precedence over a saved key, is sent only to Tavily, and is never stored or logged. A call that uses it costs 5% of its price. Ignored by skills without tavily in their requirements. */
        ProviderKey_tavily: string;
        /** @description Your own key for Brave Search (https://api-dashboard.search.brave.com/app/keys), for this request only: takes precedence over a saved key, is sent only to Brave Search, and is never stored or logged. A call that uses it costs 5% of its price. Ignored by skills without brave in their requirements. */
        ProviderKey_brave: string;
        /** @description Your own key for Exa (https://dashboard.exa.ai/api-keys), for this request only: takes precedence over a saved key, is sent only to Exa, and is never stored or logged. A call that uses it costs 5% of its price. Ignored by skills without exa in their requirements. */
        ProviderKey_exa: string;
        /** @description Your own key for fal (https://fal.ai/dashboard/keys), for this request only: takes precedence over a saved key, is sent only to fal, and is never stored or logged. A call that uses it costs 5% of its price. Ignored by skills without fal in their requirements. */
        ProviderKey_fal: string;
        /** @description Your own key for Replicate (https://replicate.com/account/api-tokens), for this request only: takes precedence over a saved key, is sent only to Replicate, and is never stored or logged. A call that uses it costs 5% of its price. Ignored by skills without replicate in their requirements. */
        ProviderKey_replicate: string;
        /** @description Your own key for ElevenLabs (https://elevenlabs.io/app/settings/api-keys), for this request only: takes precedence over a saved key, is sent only to ElevenLabs, and is never stored or logged. A call that uses it costs 5% of its price. Ignored by skills without elevenlabs in their requirements. */
        ProviderKey_elevenlabs: string;
        /** @description Your own key for Firecrawl (https://www.firecrawl.dev/app/api-keys), for this request only: takes precedence over a saved key, is sent only to Firecrawl, and is never stored or logged. A call that uses it costs 5% of its price. Ignored by skills without firecrawl in their requirements. */
        ProviderKey_firecrawl: string;
        /** @description Your own key for Resend (https://resend.com/api-keys), for this request only: takes precedence over a saved key, is sent only to Resend, and is never stored or logged. A call that uses it costs 5% of its price. Ignored by skills without resend in their requirements. */
        ProviderKey_resend: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Your X-Request-Id, or a generated one; quote it when you ask for help.
         * @example req_01kp9vx3zq8h4m2n6r7s5t0w
         */
        "X-Request-Id": string;
        /**
         * @description Send it back in If-None-Match to get 304 if nothing has changed.
         * @example "q3b7…"
         */
        ETag: string;
        /**
         * @description Byte ranges are supported.
         * @example bytes
         */
        "Accept-Ranges": string;
        /**
         * @description The returned bytes and the total size.
         * @example bytes 100-199/70000
         */
        "Content-Range": string;
        /**
         * @description The name of the file (RFC 6266).
         * @example attachment; filename="report.pdf"; filename*=UTF-8''report.pdf
         */
        "Content-Disposition": string;
        /**
         * @description The scheme to use (RFC 6750).
         * @example Bearer realm="gateway"
         */
        "WWW-Authenticate": string;
        /**
         * @description Seconds to wait, as an integer.
         * @example 37
         */
        "Retry-After": number;
        /**
         * @description URL of the job: the same as poll_url.
         * @example http://localhost:3000/v1/jobs/job_01kp9vx3zq…
         */
        Location: string;
        /**
         * @description true if this is the stored response to an earlier request with the Idempotency-Key.
         * @example true
         */
        "Idempotent-Replayed": string;
        /**
         * @description The granted preferences of the Prefer header.
         * @example wait=10, receipt
         */
        "Preference-Applied": string;
        /**
         * @description With Prefer: receipt, of a call that succeeded: a compact JWS, also in `receipt`.
         * @example eyJhbGciOiJFZERTQSIsImtpZCI6…
         */
        "Gateway-Receipt": string;
        /**
         * @description The quotas, as a structured field.
         * @example "minute";q=60;w=60, "hour";q=1000;w=3600
         */
        "RateLimit-Policy": string;
        /**
         * @description The remaining calls of each quota.
         * @example "minute";r=59;t=60, "hour";r=999;t=3600
         */
        RateLimit: string;
        /**
         * @description The quota with the fewest calls left.
         * @example 60
         */
        "RateLimit-Limit": number;
        /**
         * @description Calls left in that quota.
         * @example 59
         */
        "RateLimit-Remaining": number;
        /**
         * @description Seconds until that quota resets.
         * @example 60
         */
        "RateLimit-Reset": number;
        /**
         * @description The same as RateLimit-Limit.
         * @example 60
         */
        "X-RateLimit-Limit": number;
        /**
         * @description The same as RateLimit-Remaining.
         * @example 59
         */
        "X-RateLimit-Remaining": number;
        /**
         * @description The same as RateLimit-Reset.
         * @example 60
         */
        "X-RateLimit-Reset": number;
        /**
         * @description Only if deprecated: since when (RFC 9745).
         * @example @1796083200
         */
        Deprecation: string;
        /**
         * @description Only if it will stop: the earliest date (RFC 8594).
         * @example Wed, 31 Mar 2027 23:59:59 GMT
         */
        Sunset: string;
        /**
         * @description Only if deprecated: its documentation.
         * @example <http://localhost:3000/docs/versioning>; rel="deprecation"; type="text/html"
         */
        Link: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listTools: {
        parameters: {
            query?: {
                /** @description Only tools of this category. */
                category?: string;
                /** @description The maximum number of tools. */
                limit?: number;
                /** @description Fields of skills to add, separated by commas: `input`, `inputSchema`, `outputSchema`, `examples`. `input_schema` is another name of `input`. */
                include?: string;
                /** @description Return only these fields, separated by commas: fields of a tool, such as `name`, and of its skills, such as `skills.input`. Fields that are otherwise always present are left out too. */
                fields?: string;
                /** @description Return definitions of functions for the API of a model in place of tools or skills: pass `definitions` to it, and send what it calls to POST /v1/tools/call. */
                format?: "openai" | "anthropic" | "gemini" | "mcp";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolList"];
                };
            };
            /** @description Not changed since the ETag in If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `INVALID_INPUT`: The request is not valid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PRECONDITION_FAILED`: The resource does not match If-Match. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    searchTools: {
        parameters: {
            query: {
                /** @description What you want to do, in your own words. */
                q: string;
                /** @description The maximum number of tools. */
                limit?: number;
                /** @description Fields of skills to add, separated by commas: `input`, `inputSchema`, `outputSchema`, `examples`. `input_schema` is another name of `input`. */
                include?: string;
                /** @description Return definitions of functions for the API of a model in place of tools or skills: pass `definitions` to it, and send what it calls to POST /v1/tools/call. */
                format?: "openai" | "anthropic" | "gemini" | "mcp";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FoundToolList"];
                };
            };
            /** @description Not changed since the ETag in If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `INVALID_INPUT`: The request is not valid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PRECONDITION_FAILED`: The resource does not match If-Match. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getTool: {
        parameters: {
            query?: {
                /** @description Return only this skill. */
                skill?: string;
                /** @description Fields of skills to add, separated by commas: `input`, `inputSchema`, `outputSchema`, `examples`. `input_schema` is another name of `input`. */
                include?: string;
                /** @description Return only these fields, separated by commas: fields of a tool, such as `name`, and of its skills, such as `skills.input`. Fields that are otherwise always present are left out too. */
                fields?: string;
                /** @description Return definitions of functions for the API of a model in place of tools or skills: pass `definitions` to it, and send what it calls to POST /v1/tools/call. */
                format?: "openai" | "anthropic" | "gemini" | "mcp";
            };
            header?: never;
            path: {
                /** @description The name of the tool. */
                tool: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolDetail"];
                };
            };
            /** @description Not changed since the ETag in If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `INVALID_INPUT`: The request is not valid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `TOOL_NOT_FOUND`: No tool has this name. `SKILL_NOT_FOUND`: The tool has no skill of this name. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PRECONDITION_FAILED`: The resource does not match If-Match. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listSkills: {
        parameters: {
            query?: {
                /** @description Fields of skills to add, separated by commas: `input`, `inputSchema`, `outputSchema`, `examples`. `input_schema` is another name of `input`. */
                include?: string;
            };
            header?: never;
            path: {
                /** @description The name of the tool. */
                tool: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolSkills"];
                };
            };
            /** @description Not changed since the ETag in If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `INVALID_INPUT`: The request is not valid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `TOOL_NOT_FOUND`: No tool has this name. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PRECONDITION_FAILED`: The resource does not match If-Match. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    callTool: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any string that identifies this request. For 24 hours, a request with the same key and body returns the first response instead of running again: use it to retry after a lost connection.
                 * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: string;
                /**
                 * @description `wait=N`: wait at most N seconds, 0 to 30, for the result; `respond-async`: do not wait (RFC 7240); `receipt`: add a signed receipt to each successful result.
                 * @example wait=10
                 */
                Prefer?: string;
                /** @description Your own key for OpenAI (https://platform.openai.com/api-keys), for this request only: takes precedence over a saved key, is sent only to OpenAI, and is never stored or logged. A call that uses it costs 5% of its price. Ignored by skills without openai in their requirements. */
                "X-Provider-Key-openai"?: components["parameters"]["ProviderKey_openai"];
                /** @description Your own key for Anthropic (https://console.anthropic.com/settings/keys), for this request only: takes precedence over a saved key, is sent only to Anthropic, and is never stored or logged. A call that uses it costs 5% of its price. Ignored by skills without anthropic in their requirements. */
                "X-Provider-Key-anthropic"?: components["parameters"]["ProviderKey_anthropic"];
                /** @description Your own key for Tavily (https://app.tavily.com/home), for this request only: takes precedence over a saved key, is sent only to Tavily, and is never stored or logged. A call that uses it costs 5% of its price. Ignored by skills without tavily in their requirements. */
                "X-Provider-Key-tavily"?: components["parameters"]["ProviderKey_tavily"];
                /** @description Your own key for Brave Search (https://api-dashboard.search.brave.com/app/keys), for this request only: takes precedence over a saved key, is sent only to Brave Search, and is never stored or logged. A call that uses it costs 5% of its price. Ignored by skills without brave in their requirements. */
                "X-Provider-Key-brave"?: components["parameters"]["ProviderKey_brave"];
                /** @description Your own key for Exa (https://dashboard.exa.ai/api-keys), for this request only: takes precedence over a saved key, is sent only to Exa, and is never stored or logged. A call that uses it costs 5% of its price. Ignored by skills without exa in their requirements. */
                "X-Provider-Key-exa"?: components["parameters"]["ProviderKey_exa"];
                /** @description Your own key for fal (https://fal.ai/dashboard/keys), for this request only: takes precedence over a saved key, is sent only to fal, and is never stored or logged. A call that uses it costs 5% of its price. Ignored by skills without fal in their requirements. */
                "X-Provider-Key-fal"?: components["parameters"]["ProviderKey_fal"];
                /** @description Your own key for Replicate (https://replicate.com/account/api-tokens), for this request only: takes precedence over a saved key, is sent only to Replicate, and is never stored or logged. A call that uses it costs 5% of its price. Ignored by skills without replicate in their requirements. */
                "X-Provider-Key-replicate"?: components["parameters"]["ProviderKey_replicate"];
                /** @description Your own key for ElevenLabs (https://elevenlabs.io/app/settings/api-keys), for this request only: takes precedence over a saved key, is sent only to ElevenLabs, and is never stored or logged. A call that uses it costs 5% of its price. Ignored by skills without elevenlabs in their requirements. */
                "X-Provider-Key-elevenlabs"?: components["parameters"]["ProviderKey_elevenlabs"];
                /** @description Your own key for Firecrawl (https://www.firecrawl.dev/app/api-keys), for this request only: takes precedence over a saved key, is sent only to Firecrawl, and is never stored or logged. A call that uses it costs 5% of its price. Ignored by skills without firecrawl in their requirements. */
                "X-Provider-Key-firecrawl"?: components["parameters"]["ProviderKey_firecrawl"];
                /** @description Your own key for Resend (https://resend.com/api-keys), for this request only: takes precedence over a saved key, is sent only to Resend, and is never stored or logged. A call that uses it costs 5% of its price. Ignored by skills without resend in their requirements. */
                "X-Provider-Key-resend"?: components["parameters"]["ProviderKey_resend"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallToolRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Gateway-Receipt": components["headers"]["Gateway-Receipt"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Link"];
                    /**
                     * @description base64url JSON: method, reference (the payment_ref), status and timestamp of the payment.
                     * @example eyJtZXRob2QiOiJzdHJpcGUiLCJyZWZlcmVuY2UiOiJwaV8…
                     */
                    "Payment-Receipt"?: string;
                    /** @description base64 JSON of the settlement, if the call was paid by x402. */
                    "PAYMENT-RESPONSE"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolCallResponse"];
                    "text/event-stream": string;
                };
            };
            /** @description The call still runs and has become a job: status is `pending`, and poll_url returns its result. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolCallResponse"];
                };
            };
            /** @description `INVALID_INPUT`: The request is not valid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTH_REQUIRED`: This route requires an API key. `AUTH_FAILED`: The API key is not valid. `MISSING_CREDENTIALS`: The tool needs a provider credential that is not configured. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INSUFFICIENT_CREDITS`: The credit does not cover this call. `COST_LIMIT_EXCEEDED`: The call can cost more than max_cost_usd. Without a key, where the gateway lets agents pay per call: how to pay, as a PaymentProblem in application/problem+json. */
            402: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /**
                     * @description The challenges. Each is bound to this request, and valid for ten minutes.
                     * @example Payment id="qB3w…", realm="gateway.example.com", method="stripe", intent="charge", request="eyJhbW91bnQiOiI1ODAi…", digest="sha-256=:X48E9qOo…=:", expires="2026-11-21T12:10:00.000Z", opaque="eyJ0b3B1cCI6…"
                     */
                    "WWW-Authenticate"?: string;
                    /** @description base64 JSON of the requirements of x402, version 2, if the gateway takes x402. */
                    "PAYMENT-REQUIRED"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CLAIM_REQUIRED`: This requires a claimed account. `FORBIDDEN`: This key may not do that. `TOOL_NOT_ALLOWED`: This key may not call the tool. `IP_NOT_ALLOWED`: This key may not be used from this address. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `TOOL_NOT_FOUND`: No tool has this name. `SKILL_NOT_FOUND`: The tool has no skill of this name. `ASSET_NOT_FOUND`: The asset does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IDEMPOTENCY_IN_PROGRESS`: A request with this Idempotency-Key is still running. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE`: The request body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE`: The request body must be JSON. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IDEMPOTENCY_MISMATCH`: This Idempotency-Key was already used with a different request. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED`: Too many requests. `SPENDING_LIMIT_EXCEEDED`: This would exceed the monthly spending limit of the account. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `JOBS_DISABLED`: Jobs are disabled on this deployment. */
            501: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `HANDLER_ERROR`: The tool failed. */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `TOOL_UNAVAILABLE`: This gateway is missing a dependency of the tool. `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    callTools: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any string that identifies this request. For 24 hours, a request with the same key and body returns the first response instead of running again: use it to retry after a lost connection.
                 * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: string;
                /**
                 * @description `wait=N`: wait at most N seconds, 0 to 30, for the result; `respond-async`: do not wait (RFC 7240); `receipt`: add a signed receipt to each successful result.
                 * @example wait=10
                 */
                Prefer?: string;
                /** @description Your own key for OpenAI (https://platform.openai.com/api-keys), for this request only: takes precedence over a saved key, is sent only to OpenAI, and is never stored or logged. A call that uses it costs 5% of its price. Ignored by skills without openai in their requirements. */
                "X-Provider-Key-openai"?: components["parameters"]["ProviderKey_openai"];
                /** @description Your own key for Anthropic (https://console.anthropic.com/settings/keys), for this request only: takes precedence over a saved key, is sent only to Anthropic, and is never stored or logged. A call that uses it costs 5% of its price. Ignored by skills without anthropic in their requirements. */
                "X-Provider-Key-anthropic"?: components["parameters"]["ProviderKey_anthropic"];
                /** @description Your own key for Tavily (https://app.tavily.com/home), for this request only: takes precedence over a saved key, is sent only to Tavily, and is never stored or logged. A call that uses it costs 5% of its price. Ignored by skills without tavily in their requirements. */
                "X-Provider-Key-tavily"?: components["parameters"]["ProviderKey_tavily"];
                /** @description Your own key for Brave Search (https://api-dashboard.search.brave.com/app/keys), for this request only: takes precedence over a saved key, is sent only to Brave Search, and is never stored or logged. A call that uses it costs 5% of its price. Ignored by skills without brave in their requirements. */
                "X-Provider-Key-brave"?: components["parameters"]["ProviderKey_brave"];
                /** @description Your own key for Exa (https://dashboard.exa.ai/api-keys), for this request only: takes precedence over a saved key, is sent only to Exa, and is never stored or logged. A call that uses it costs 5% of its price. Ignored by skills without exa in their requirements. */
                "X-Provider-Key-exa"?: components["parameters"]["ProviderKey_exa"];
                /** @description Your own key for fal (https://fal.ai/dashboard/keys), for this request only: takes precedence over a saved key, is sent only to fal, and is never stored or logged. A call that uses it costs 5% of its price. Ignored by skills without fal in their requirements. */
                "X-Provider-Key-fal"?: components["parameters"]["ProviderKey_fal"];
                /** @description Your own key for Replicate (https://replicate.com/account/api-tokens), for this request only: takes precedence over a saved key, is sent only to Replicate, and is never stored or logged. A call that uses it costs 5% of its price. Ignored by skills without replicate in their requirements. */
                "X-Provider-Key-replicate"?: components["parameters"]["ProviderKey_replicate"];
                /** @description Your own key for ElevenLabs (https://elevenlabs.io/app/settings/api-keys), for this request only: takes precedence over a saved key, is sent only to ElevenLabs, and is never stored or logged. A call that uses it costs 5% of its price. Ignored by skills without elevenlabs in their requirements. */
                "X-Provider-Key-elevenlabs"?: components["parameters"]["ProviderKey_elevenlabs"];
                /** @description Your own key for Firecrawl (https://www.firecrawl.dev/app/api-keys), for this request only: takes precedence over a saved key, is sent only to Firecrawl, and is never stored or logged. A call that uses it costs 5% of its price. Ignored by skills without firecrawl in their requirements. */
                "X-Provider-Key-firecrawl"?: components["parameters"]["ProviderKey_firecrawl"];
                /** @description Your own key for Resend (https://resend.com/api-keys), for this request only: takes precedence over a saved key, is sent only to Resend, and is never stored or logged. A call that uses it costs 5% of its price. Ignored by skills without resend in their requirements. */
                "X-Provider-Key-resend"?: components["parameters"]["ProviderKey_resend"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallToolsRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchResult"];
                };
            };
            /** @description `INVALID_INPUT`: The request is not valid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTH_REQUIRED`: This route requires an API key. `AUTH_FAILED`: The API key is not valid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `COST_LIMIT_EXCEEDED`: The call can cost more than max_cost_usd. */
            402: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FORBIDDEN`: This key may not do that. `IP_NOT_ALLOWED`: This key may not be used from this address. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IDEMPOTENCY_IN_PROGRESS`: A request with this Idempotency-Key is still running. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE`: The request body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE`: The request body must be JSON. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IDEMPOTENCY_MISMATCH`: This Idempotency-Key was already used with a different request. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    streamJob: {
        parameters: {
            query?: {
                /** @description For clients that cannot send the header Last-Event-ID, which takes precedence. */
                last_event_id?: string;
            };
            header?: {
                /**
                 * @description The id of the last event that you received. Without it, the stream starts with `started`.
                 * @example 1.1000
                 */
                "Last-Event-ID"?: string;
            };
            path: {
                /** @description The job_id of `started` or of a 202 response. */
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events after Last-Event-ID, as of a streamed call. A stream without `result` or `error` at its end broke off: resume it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description You have the last event: do not reconnect. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `INVALID_INPUT`: The request is not valid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTH_REQUIRED`: This route requires an API key. `AUTH_FAILED`: The API key is not valid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IP_NOT_ALLOWED`: This key may not be used from this address. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND`: Not found. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `JOBS_DISABLED`: Jobs are disabled on this deployment. */
            501: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listJobs: {
        parameters: {
            query?: {
                /** @description Only jobs in this state. */
                status?: "pending" | "running" | "completed" | "failed" | "cancelled";
                /** @description Only jobs of this tool. */
                tool?: string;
                /** @description Only jobs of this key. */
                key_id?: string;
                /** @description At most this many. */
                limit?: number;
                /** @description next_cursor from the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobList"];
                };
            };
            /** @description `INVALID_INPUT`: The request is not valid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTH_REQUIRED`: This route requires an API key. `AUTH_FAILED`: The API key is not valid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IP_NOT_ALLOWED`: This key may not be used from this address. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND`: Not found. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `JOBS_DISABLED`: Jobs are disabled on this deployment. */
            501: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getJob: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description `wait=N`: wait at most N seconds, 0 to 30, for the result; `respond-async`: do not wait (RFC 7240); `receipt`: add a signed receipt to each successful result.
                 * @example wait=10
                 */
                Prefer?: string;
            };
            path: {
                /** @description The job_id of a 202 response. */
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Gateway-Receipt": components["headers"]["Gateway-Receipt"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description `INVALID_INPUT`: The request is not valid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTH_REQUIRED`: This route requires an API key. `AUTH_FAILED`: The API key is not valid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IP_NOT_ALLOWED`: This key may not be used from this address. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND`: Not found. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `JOBS_DISABLED`: Jobs are disabled on this deployment. */
            501: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    cancelJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The job_id of a 202 response. */
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobCancelled"];
                };
            };
            /** @description `JOB_NOT_RUNNING`: Only a running job can be cancelled. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTH_REQUIRED`: This route requires an API key. `AUTH_FAILED`: The API key is not valid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IP_NOT_ALLOWED`: This key may not be used from this address. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE`: The request body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE`: The request body must be JSON. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `JOBS_DISABLED`: Jobs are disabled on this deployment. */
            501: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    uploadAsset: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any string that identifies this request. For 24 hours, a request with the same key and body returns the first response instead of running again: use it to retry after a lost connection.
                 * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** @description The file, sent as one file part. */
                    file: string;
                    /** @description The filename; defaults to that of the part. */
                    filename?: string;
                    /** @description The media type, if the bytes do not reveal it; defaults to that of the part. */
                    content_type?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadResult"];
                };
            };
            /** @description `INVALID_INPUT`: The request is not valid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTH_REQUIRED`: This route requires an API key. `AUTH_FAILED`: The API key is not valid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CLAIM_REQUIRED`: This requires a claimed account. `FORBIDDEN`: This key may not do that. `IP_NOT_ALLOWED`: This key may not be used from this address. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IDEMPOTENCY_IN_PROGRESS`: A request with this Idempotency-Key is still running. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE`: The request body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE`: The request body must be JSON. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IDEMPOTENCY_MISMATCH`: This Idempotency-Key was already used with a different request. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    downloadAsset: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description One range of bytes (RFC 9110).
                 * @example bytes=0-1023
                 */
                Range?: string;
                /**
                 * @description The ETag that the range belongs to; if the current one differs, the whole file is returned.
                 * @example "sha256-9f86…"
                 */
                "If-Range"?: string;
                /**
                 * @description The ETag of your copy.
                 * @example "sha256-9f86…"
                 */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The id of the asset. */
                assetId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description The requested range. A request for several ranges returns the whole file. */
            206: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Content-Range": components["headers"]["Content-Range"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description Not changed since the ETag in If-None-Match. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `INVALID_INPUT`: The request is not valid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ASSET_NOT_FOUND`: The asset does not exist. `NOT_FOUND`: Not found. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PRECONDITION_FAILED`: The resource does not match If-Match. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RANGE_NOT_SATISFIABLE`: The range starts beyond the end of the asset. */
            416: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Range": components["headers"]["Content-Range"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteAsset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the asset. */
                assetId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedAsset"];
                };
            };
            /** @description `INVALID_INPUT`: The request is not valid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTH_REQUIRED`: This route requires an API key. `AUTH_FAILED`: The API key is not valid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IP_NOT_ALLOWED`: This key may not be used from this address. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND`: Not found. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAssetMeta: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the asset. */
                assetId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssetMeta"];
                };
            };
            /** @description `INVALID_INPUT`: The request is not valid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `ASSET_NOT_FOUND`: The asset does not exist. `NOT_FOUND`: Not found. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAssets: {
        parameters: {
            query?: {
                /** @description At most this many. */
                limit?: number;
                /** @description next_cursor from the previous page. */
                cursor?: string;
                /** @description Part of the file name. */
                q?: string;
                /** @description Only files of this kind. */
                kind?: "image" | "audio" | "video" | "pdf" | "text" | "other";
                /** @description Only files that this tool made; `upload` means none. */
                tool?: string;
                /** @description The order of the files. */
                sort?: "newest" | "largest";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssetList"];
                };
            };
            /** @description `INVALID_INPUT`: The request is not valid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTH_REQUIRED`: This route requires an API key. `AUTH_FAILED`: The API key is not valid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IP_NOT_ALLOWED`: This key may not be used from this address. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            /** @description `AUTH_REQUIRED`: This route requires an API key. `AUTH_FAILED`: The API key is not valid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FORBIDDEN`: This key may not do that. `IP_NOT_ALLOWED`: This key may not be used from this address. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND`: Not found. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    provisionKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ProvisionKeyRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProvisionResponse"];
                };
            };
            /** @description `INVALID_INPUT`: The request is not valid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FORBIDDEN`: This key may not do that. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE`: The request body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE`: The request body must be JSON. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    claimAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClaimAccountRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClaimResult"];
                };
            };
            /** @description `INVALID_INPUT`: The request is not valid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTH_REQUIRED`: This route requires an API key. `AUTH_FAILED`: The API key is not valid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CLAIM_REQUIRED`: This requires a claimed account. `FORBIDDEN`: This key may not do that. `KEY_RESTRICTED`: This key may call tools, but not manage the account. `IP_NOT_ALLOWED`: This key may not be used from this address. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND`: Not found. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CLAIM_CONFLICT`: This account was already claimed by someone else. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE`: The request body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE`: The request body must be JSON. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getBalance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillingBalance"];
                };
            };
            /** @description `AUTH_REQUIRED`: This route requires an API key. `AUTH_FAILED`: The API key is not valid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FORBIDDEN`: This key may not do that. `IP_NOT_ALLOWED`: This key may not be used from this address. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createCheckout: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any string that identifies this request. For 24 hours, a request with the same key and body returns the first response instead of running again: use it to retry after a lost connection.
                 * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCheckoutRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Checkout"];
                };
            };
            /** @description `INVALID_INPUT`: The request is not valid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTH_REQUIRED`: This route requires an API key. `AUTH_FAILED`: The API key is not valid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CLAIM_REQUIRED`: This requires a claimed account. `FORBIDDEN`: This key may not do that. `KEY_RESTRICTED`: This key may call tools, but not manage the account. `IP_NOT_ALLOWED`: This key may not be used from this address. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IDEMPOTENCY_IN_PROGRESS`: A request with this Idempotency-Key is still running. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE`: The request body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE`: The request body must be JSON. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IDEMPOTENCY_MISMATCH`: This Idempotency-Key was already used with a different request. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    openPortal: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["OpenPortalRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Portal"];
                };
            };
            /** @description `INVALID_INPUT`: The request is not valid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTH_REQUIRED`: This route requires an API key. `AUTH_FAILED`: The API key is not valid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CLAIM_REQUIRED`: This requires a claimed account. `FORBIDDEN`: This key may not do that. `KEY_RESTRICTED`: This key may call tools, but not manage the account. `IP_NOT_ALLOWED`: This key may not be used from this address. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE`: The request body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE`: The request body must be JSON. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getPreferences: {
        parameters: {
            query?: {
                /** @description `personal` (the default), `team`, or the slug of one of your teams. */
                billing?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Preferences"];
                };
            };
            /** @description `INVALID_INPUT`: The request is not valid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTH_REQUIRED`: This route requires an API key. `AUTH_FAILED`: The API key is not valid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FORBIDDEN`: This key may not do that. `IP_NOT_ALLOWED`: This key may not be used from this address. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    setPreferences: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetPreferencesRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Preferences"];
                };
            };
            /** @description `INVALID_INPUT`: The request is not valid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTH_REQUIRED`: This route requires an API key. `AUTH_FAILED`: The API key is not valid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CLAIM_REQUIRED`: This requires a claimed account. `FORBIDDEN`: This key may not do that. `KEY_RESTRICTED`: This key may call tools, but not manage the account. `IP_NOT_ALLOWED`: This key may not be used from this address. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE`: The request body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE`: The request body must be JSON. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    issueInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IssueInvoiceRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedInvoices"];
                };
            };
            /** @description `INVALID_INPUT`: The request is not valid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTH_REQUIRED`: This route requires an API key. `AUTH_FAILED`: The API key is not valid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CLAIM_REQUIRED`: This requires a claimed account. `FORBIDDEN`: This key may not do that. `KEY_RESTRICTED`: This key may call tools, but not manage the account. `IP_NOT_ALLOWED`: This key may not be used from this address. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND`: Not found. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE`: The request body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE`: The request body must be JSON. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    machineTopUp: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Accepted, but not needed: a challenge is never stored as a response, and the challenge itself identifies the paid retry.
                 * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MachineTopUpRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    /**
                     * @description base64url JSON: method, reference (the payment_ref), status and timestamp of the payment.
                     * @example eyJtZXRob2QiOiJzdHJpcGUiLCJyZWZlcmVuY2UiOiJwaV8…
                     */
                    "Payment-Receipt"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MachineTopUpResult"];
                };
            };
            /** @description `INVALID_INPUT`: The request is not valid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["PaymentProblem"];
                };
            };
            /** @description `AUTH_REQUIRED`: This route requires an API key. `AUTH_FAILED`: The API key is not valid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description How to pay: a challenge for each method. Also sent, with the reason, if a payment credential failed. */
            402: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /**
                     * @description The challenges. Each is bound to this request, and valid for ten minutes.
                     * @example Payment id="qB3w…", realm="gateway.example.com", method="stripe", intent="charge", request="eyJhbW91bnQiOiI1ODAi…", digest="sha-256=:X48E9qOo…=:", expires="2026-11-21T12:10:00.000Z", opaque="eyJ0b3B1cCI6…"
                     */
                    "WWW-Authenticate"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["PaymentProblem"];
                };
            };
            /** @description `CLAIM_REQUIRED`: This requires a claimed account. `FORBIDDEN`: This key may not do that. `KEY_RESTRICTED`: This key may call tools, but not manage the account. `IP_NOT_ALLOWED`: This key may not be used from this address. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IDEMPOTENCY_IN_PROGRESS`: A request with this Idempotency-Key is still running. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE`: The request body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE`: The request body must be JSON. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IDEMPOTENCY_MISMATCH`: This Idempotency-Key was already used with a different request. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listKeys: {
        parameters: {
            query?: {
                /** @description The account of the keys: personal (the default), team, or the slug of a team. */
                billing?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyList"];
                };
            };
            /** @description `INVALID_INPUT`: The request is not valid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTH_REQUIRED`: This route requires an API key. `AUTH_FAILED`: The API key is not valid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FORBIDDEN`: This key may not do that. `KEY_RESTRICTED`: This key may call tools, but not manage the account. `IP_NOT_ALLOWED`: This key may not be used from this address. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any string that identifies this request. For 24 hours, a request with the same key and body returns the first response instead of running again: use it to retry after a lost connection.
                 * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateKeyRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
            /** @description `INVALID_INPUT`: The request is not valid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTH_REQUIRED`: This route requires an API key. `AUTH_FAILED`: The API key is not valid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CLAIM_REQUIRED`: This requires a claimed account. `FORBIDDEN`: This key may not do that. `KEY_RESTRICTED`: This key may call tools, but not manage the account. `IP_NOT_ALLOWED`: This key may not be used from this address. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IDEMPOTENCY_IN_PROGRESS`: A request with this Idempotency-Key is still running. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE`: The request body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE`: The request body must be JSON. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IDEMPOTENCY_MISMATCH`: This Idempotency-Key was already used with a different request. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the key. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            /** @description `INVALID_INPUT`: The request is not valid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTH_REQUIRED`: This route requires an API key. `AUTH_FAILED`: The API key is not valid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IP_NOT_ALLOWED`: This key may not be used from this address. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND`: Not found. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the key. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokedKey"];
                };
            };
            /** @description `INVALID_INPUT`: The request is not valid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTH_REQUIRED`: This route requires an API key. `AUTH_FAILED`: The API key is not valid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FORBIDDEN`: This key may not do that. `KEY_RESTRICTED`: This key may call tools, but not manage the account. `IP_NOT_ALLOWED`: This key may not be used from this address. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND`: Not found. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the key. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateKeyRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            /** @description `INVALID_INPUT`: The request is not valid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTH_REQUIRED`: This route requires an API key. `AUTH_FAILED`: The API key is not valid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CLAIM_REQUIRED`: This requires a claimed account. `FORBIDDEN`: This key may not do that. `KEY_RESTRICTED`: This key may call tools, but not manage the account. `IP_NOT_ALLOWED`: This key may not be used from this address. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND`: Not found. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE`: The request body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE`: The request body must be JSON. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    addKeyCredits: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any string that identifies this request. For 24 hours, a request with the same key and body returns the first response instead of running again: use it to retry after a lost connection.
                 * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the key. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddKeyCreditsRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            /** @description `INVALID_INPUT`: The request is not valid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTH_REQUIRED`: This route requires an API key. `AUTH_FAILED`: The API key is not valid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CLAIM_REQUIRED`: This requires a claimed account. `FORBIDDEN`: This key may not do that. `KEY_RESTRICTED`: This key may call tools, but not manage the account. `IP_NOT_ALLOWED`: This key may not be used from this address. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND`: Not found. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IDEMPOTENCY_IN_PROGRESS`: A request with this Idempotency-Key is still running. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE`: The request body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE`: The request body must be JSON. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IDEMPOTENCY_MISMATCH`: This Idempotency-Key was already used with a different request. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    rotateKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any string that identifies this request. For 24 hours, a request with the same key and body returns the first response instead of running again: use it to retry after a lost connection.
                 * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the key. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RotateKeyRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
            /** @description `INVALID_INPUT`: The request is not valid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTH_REQUIRED`: This route requires an API key. `AUTH_FAILED`: The API key is not valid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CLAIM_REQUIRED`: This requires a claimed account. `FORBIDDEN`: This key may not do that. `KEY_RESTRICTED`: This key may call tools, but not manage the account. `IP_NOT_ALLOWED`: This key may not be used from this address. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND`: Not found. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IDEMPOTENCY_IN_PROGRESS`: A request with this Idempotency-Key is still running. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE`: The request body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE`: The request body must be JSON. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IDEMPOTENCY_MISMATCH`: This Idempotency-Key was already used with a different request. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointList"];
                };
            };
            /** @description `AUTH_REQUIRED`: This route requires an API key. `AUTH_FAILED`: The API key is not valid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `KEY_RESTRICTED`: This key may call tools, but not manage the account. `IP_NOT_ALLOWED`: This key may not be used from this address. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
            /** @description `INVALID_INPUT`: The request is not valid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTH_REQUIRED`: This route requires an API key. `AUTH_FAILED`: The API key is not valid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `FORBIDDEN`: This key may not do that. `KEY_RESTRICTED`: This key may call tools, but not manage the account. `IP_NOT_ALLOWED`: This key may not be used from this address. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE`: The request body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE`: The request body must be JSON. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSecret"];
                };
            };
            /** @description `AUTH_REQUIRED`: This route requires an API key. `AUTH_FAILED`: The API key is not valid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IP_NOT_ALLOWED`: This key may not be used from this address. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the endpoint. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            /** @description `INVALID_INPUT`: The request is not valid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTH_REQUIRED`: This route requires an API key. `AUTH_FAILED`: The API key is not valid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `KEY_RESTRICTED`: This key may call tools, but not manage the account. `IP_NOT_ALLOWED`: This key may not be used from this address. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND`: Not found. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the endpoint. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedWebhook"];
                };
            };
            /** @description `INVALID_INPUT`: The request is not valid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTH_REQUIRED`: This route requires an API key. `AUTH_FAILED`: The API key is not valid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `KEY_RESTRICTED`: This key may call tools, but not manage the account. `IP_NOT_ALLOWED`: This key may not be used from this address. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND`: Not found. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the endpoint. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWebhookRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            /** @description `INVALID_INPUT`: The request is not valid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTH_REQUIRED`: This route requires an API key. `AUTH_FAILED`: The API key is not valid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `KEY_RESTRICTED`: This key may call tools, but not manage the account. `IP_NOT_ALLOWED`: This key may not be used from this address. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND`: Not found. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE`: The request body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE`: The request body must be JSON. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the endpoint. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RotateWebhookSecretRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
            /** @description `INVALID_INPUT`: The request is not valid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTH_REQUIRED`: This route requires an API key. `AUTH_FAILED`: The API key is not valid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `KEY_RESTRICTED`: This key may call tools, but not manage the account. `IP_NOT_ALLOWED`: This key may not be used from this address. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND`: Not found. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE`: The request body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE`: The request body must be JSON. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the endpoint. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            /** @description `INVALID_INPUT`: The request is not valid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTH_REQUIRED`: This route requires an API key. `AUTH_FAILED`: The API key is not valid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `KEY_RESTRICTED`: This key may call tools, but not manage the account. `IP_NOT_ALLOWED`: This key may not be used from this address. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND`: Not found. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE`: The request body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE`: The request body must be JSON. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Only deliveries in this state. */
                state?: "pending" | "delivered" | "failed";
                /** @description At most this many. */
                limit?: number;
                /** @description next_cursor from the previous page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The id of the endpoint. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryList"];
                };
            };
            /** @description `INVALID_INPUT`: The request is not valid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTH_REQUIRED`: This route requires an API key. `AUTH_FAILED`: The API key is not valid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `KEY_RESTRICTED`: This key may call tools, but not manage the account. `IP_NOT_ALLOWED`: This key may not be used from this address. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND`: Not found. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the endpoint. */
                id: string;
                /** @description The id of the delivery. */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryDetail"];
                };
            };
            /** @description `INVALID_INPUT`: The request is not valid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTH_REQUIRED`: This route requires an API key. `AUTH_FAILED`: The API key is not valid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `KEY_RESTRICTED`: This key may call tools, but not manage the account. `IP_NOT_ALLOWED`: This key may not be used from this address. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND`: Not found. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    replayWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the endpoint. */
                id: string;
                /** @description The id of the delivery. */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            /** @description `INVALID_INPUT`: The request is not valid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTH_REQUIRED`: This route requires an API key. `AUTH_FAILED`: The API key is not valid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `KEY_RESTRICTED`: This key may call tools, but not manage the account. `IP_NOT_ALLOWED`: This key may not be used from this address. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND`: Not found. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE`: The request body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE`: The request body must be JSON. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    replayFailedWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the endpoint. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayedDeliveries"];
                };
            };
            /** @description `INVALID_INPUT`: The request is not valid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTH_REQUIRED`: This route requires an API key. `AUTH_FAILED`: The API key is not valid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `KEY_RESTRICTED`: This key may call tools, but not manage the account. `IP_NOT_ALLOWED`: This key may not be used from this address. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND`: Not found. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE`: The request body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE`: The request body must be JSON. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getUsage: {
        parameters: {
            query?: {
                /** @description The last 24 hours, 7 days, 30 days, or everything. */
                period?: "day" | "week" | "month" | "all";
                /** @description Only calls of this key. */
                key_id?: string;
                /** @description Only calls of keys that have this tag now. */
                tag?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageSummary"];
                };
            };
            /** @description `INVALID_INPUT`: The request is not valid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTH_REQUIRED`: This route requires an API key. `AUTH_FAILED`: The API key is not valid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IP_NOT_ALLOWED`: This key may not be used from this address. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND`: Not found. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listUsageHistory: {
        parameters: {
            query?: {
                /** @description Only calls of this key. */
                key_id?: string;
                /** @description Only calls of keys that have this tag now. */
                tag?: string;
                /** @description Only calls of the request with this X-Request-Id. */
                request_id?: string;
                /** @description Only calls that failed with this code. */
                error_code?: string;
                /** @description At most this many. */
                limit?: number;
                /** @description next_cursor from the previous page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageHistory"];
                };
            };
            /** @description `INVALID_INPUT`: The request is not valid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTH_REQUIRED`: This route requires an API key. `AUTH_FAILED`: The API key is not valid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IP_NOT_ALLOWED`: This key may not be used from this address. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND`: Not found. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getUsageCall: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of a result, or `error.call_id` of a failure. */
                call_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageCallRecord"];
                };
            };
            /** @description `INVALID_INPUT`: The request is not valid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTH_REQUIRED`: This route requires an API key. `AUTH_FAILED`: The API key is not valid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IP_NOT_ALLOWED`: This key may not be used from this address. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND`: Not found. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getUsageErrors: {
        parameters: {
            query?: {
                /** @description The last 24 hours, 7 days, 30 days, or everything. */
                period?: "day" | "week" | "month" | "all";
                /** @description Only calls of this key. */
                key_id?: string;
                /** @description Only calls of keys that have this tag now. */
                tag?: string;
                /** @description Only calls of this tool. */
                tool?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageErrors"];
                };
            };
            /** @description `INVALID_INPUT`: The request is not valid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTH_REQUIRED`: This route requires an API key. `AUTH_FAILED`: The API key is not valid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IP_NOT_ALLOWED`: This key may not be used from this address. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND`: Not found. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getUsageRefusals: {
        parameters: {
            query?: {
                /** @description The last 24 hours, 7 days, 30 days, or everything. */
                period?: "day" | "week" | "month" | "all";
                /** @description Only calls of this key. */
                key_id?: string;
                /** @description Only calls of keys that have this tag now. */
                tag?: string;
                /** @description Only calls of this tool. */
                tool?: string;
                /** @description Only calls that were refused with this code. */
                error_code?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageRefusals"];
                };
            };
            /** @description `INVALID_INPUT`: The request is not valid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTH_REQUIRED`: This route requires an API key. `AUTH_FAILED`: The API key is not valid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IP_NOT_ALLOWED`: This key may not be used from this address. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND`: Not found. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getReceipt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a call that succeeded. */
                call_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
            /** @description `INVALID_INPUT`: The request is not valid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTH_REQUIRED`: This route requires an API key. `AUTH_FAILED`: The API key is not valid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IP_NOT_ALLOWED`: This key may not be used from this address. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND`: Not found. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listReceiptKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptKeys"];
                };
            };
            /** @description Not changed since the ETag in If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `PRECONDITION_FAILED`: The resource does not match If-Match. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postReview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PostReviewRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Review"];
                };
            };
            /** @description `INVALID_INPUT`: The request is not valid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTH_REQUIRED`: This route requires an API key. `AUTH_FAILED`: The API key is not valid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `KEY_RESTRICTED`: This key may call tools, but not manage the account. `IP_NOT_ALLOWED`: This key may not be used from this address. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `TOOL_NOT_FOUND`: No tool has this name. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE`: The request body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE`: The request body must be JSON. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listRequirements: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequirementList"];
                };
            };
            /** @description Not changed since the ETag in If-None-Match. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `PRECONDITION_FAILED`: The resource does not match If-Match. */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAccountRequirements: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountRequirementList"];
                };
            };
            /** @description `AUTH_REQUIRED`: This route requires an API key. `AUTH_FAILED`: The API key is not valid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `IP_NOT_ALLOWED`: This key may not be used from this address. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    saveAccountRequirement: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of the provider: openai, anthropic, …; see GET /v1/requirements. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SaveAccountRequirementRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountRequirement"];
                };
            };
            /** @description `INVALID_INPUT`: The request is not valid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTH_REQUIRED`: This route requires an API key. `AUTH_FAILED`: The API key is not valid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `CLAIM_REQUIRED`: This requires a claimed account. `FORBIDDEN`: This key may not do that. `KEY_RESTRICTED`: This key may call tools, but not manage the account. `IP_NOT_ALLOWED`: This key may not be used from this address. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND`: Not found. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `PAYLOAD_TOO_LARGE`: The request body is too large. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNSUPPORTED_MEDIA_TYPE`: The request body must be JSON. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    removeAccountRequirement: {
        parameters: {
            query?: {
                /** @description The key to remove; omit it to remove all. */
                label?: string;
            };
            header?: never;
            path: {
                /** @description The name of the provider: openai, anthropic, …; see GET /v1/requirements. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemovedCredential"];
                };
            };
            /** @description `INVALID_INPUT`: The request is not valid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `AUTH_REQUIRED`: This route requires an API key. `AUTH_FAILED`: The API key is not valid. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `KEY_RESTRICTED`: This key may call tools, but not manage the account. `IP_NOT_ALLOWED`: This key may not be used from this address. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `NOT_FOUND`: Not found. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `RATE_LIMIT_EXCEEDED`: Too many requests. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `INTERNAL`: Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `UNAVAILABLE`: The gateway cannot answer right now. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}

/** The fields of rate_limits. */
export const RATE_LIMITS = ["per_minute","per_hour","concurrent"] as const;
