import type { MachineResponse } from './machineClient.ts';

/** Placeholder until the description exists. */
export function expectContract(_method: string, _path: string, _response: MachineResponse): void {}
