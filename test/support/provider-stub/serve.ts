// Ten fake providers: `node --import tsx test/support/provider-stub/serve.ts [port]`. Prints the
// variables to export before `npm start`; OUTBOUND_ALLOW lets tools reach this machine.
import { BEHAVIOURS, startProviderStub } from './stub';

const stub = await startProviderStub(Number(process.argv[2] ?? 0));
for (const [name, value] of Object.entries(stub.env())) console.log(`export ${name}=${value}`);
console.log(`export OUTBOUND_ALLOW=${new URL(stub.baseUrl('openai')).host}`);
console.log(`# A key for BYOK: ${stub.key('openai')}; one that is rejected: ${stub.key('openai', '402')}`);
console.log(`# Behaviours, as part of a key or as [stub:402] in an input: ${BEHAVIOURS.join(', ')}`);
