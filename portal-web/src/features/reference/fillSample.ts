import type { Piece, Sample, Slot, SlotValues } from './referenceTypes.ts';

/** A sample with values in its places. What stands for a value keeps its kind, so that a page can mark it. */
export function fillSample(sample: Sample, values: SlotValues): Piece[] {
  return sample.map(([kind, text]) => [kind, kind === 'value' ? values[text as Slot] : text]);
}

/** What stands in the places of readers whose values are not known. `machineApiUrl` ends with /v1; `kitUrl` is where the kit is installed from. */
export function placeholders({ machineApiUrl, kitUrl }: { machineApiUrl: string; kitUrl: string }): SlotValues {
  const origin = machineApiUrl.replace(/\/v1\/?$/, '');
  return {
    origin,
    host: origin.replace(/^https:\/\//, ''),
    kit_url: kitUrl,
    environment: 'sandbox',
    name: 'svc:sandbox:cli_…',
    files: 'sandbox',
    order_id: 'ord_…',
    vehicle_id: 'veh_…',
    revocation_id: 'rev_…',
    link_code: '0428815903',
  };
}
