// The ten providers for trying by hand: `node --import tsx server/testing/provider-stub/serve.ts [port]`.
// It prints what to export before `npm start`; OUTBOUND_ALLOW lets the gateway's tools reach this machine.
import { BEHAVIOURS, startProviderStub } from './stub';

const stub = await startProviderStub(Number(process.argv[2] ?? 0));
for (const [name, value] of Object.entries(stub.env())) console.log(`export ${name}=${value}`);
console.log(`export OUTBOUND_ALLOW=${new URL(stub.baseUrl('openai')).host}`);
console.log(`# Bring your own: ${stub.key('openai')}; a bad one: ${stub.key('openai', '402')}`);
console.log(`# Behaviours, in a key as above or as [stub:402] in an input: ${BEHAVIOURS.join(', ')}`);
