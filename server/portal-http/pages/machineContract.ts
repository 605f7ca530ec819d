import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { etagOf } from '../../platform/http/validators.ts';
import type { ServiceFacts } from '../../portal-api/context.ts';

const source = (name: string) => new URL(`../../../rest-api/contract/${name}.yaml`, import.meta.url);

/** One form of the contract with its strong validator. */
type Form = { readonly text: string; readonly etag: string };

/** The machine contract and the description of the webhooks as operators read them. `problems` has an example of each problem's body, by its code. */
type MachineContract = {
  readonly yaml: Form;
  readonly json: Form;
  readonly webhooks: { readonly yaml: Form; readonly json: Form };
  readonly problems: ReadonlyMap<string, object>;
};

type Contract = {
  components: { responses: Record<string, { content?: Record<string, { examples?: Record<string, { value: object }> }> }> };
};

/**
 * Reads the OpenAPI description and the AsyncAPI one, with this installation's own addresses in place of the placeholders. They are read again
 * only when the addresses change.
 */
export function machineContractReader(): (facts: Pick<ServiceFacts, 'portalUrl' | 'machineApiUrl'>) => Promise<MachineContract> {
  const known = new Map<string, Promise<MachineContract>>();
  return ({ portalUrl, machineApiUrl }) => {
    const key = `${portalUrl} ${machineApiUrl}`;
    const contract = known.get(key) ?? readContract(portalUrl, new URL(machineApiUrl).host);
    known.clear();
    known.set(key, contract);
    contract.catch(() => known.delete(key));
    return contract;
  };
}

async function readContract(portalUrl: string, machineApiHost: string): Promise<MachineContract> {
  const read = async (name: string) =>
    (await readFile(source(name), 'utf8')).replace(/^#.*\n/gm, '').replaceAll('https://portal.example', portalUrl);
  const yaml = (await read('openapi')).replaceAll('localhost:8443', machineApiHost);
  const webhooks = await read('asyncapi');
  const contract = parse(yaml) as Contract;
  const examples = Object.values(contract.components.responses).flatMap(({ content = {} }) =>
    Object.values(content).flatMap((media) => Object.entries(media.examples ?? {})),
  );
  return {
    yaml: form(yaml),
    json: form(JSON.stringify(contract)),
    // Each form refers to the same form of the machine contract, where the snapshots are described.
    webhooks: { yaml: form(webhooks), json: form(JSON.stringify(parse(webhooks.replaceAll('./openapi.yaml#', './openapi.json#')))) },
    // If several responses have an example of a code, the first one is shown.
    problems: new Map(examples.toReversed().map(([code, { value }]) => [code, value])),
  };
}

function form(text: string): Form {
  return { text, etag: etagOf(text) };
}
