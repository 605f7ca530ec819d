import type { Effort, Result } from '../measure.ts';
import type { World } from '../world.ts';
import { measureHandshakes } from './handshakes.ts';
import { measureIssuing } from './issuing.ts';
import { measureRevocationList } from '../revocationList.ts';

/** Certificates, from the request to the revocation list, and what several authorities cost a handshake. */
export async function measureCertificates(world: World, effort: Effort): Promise<Result[]> {
  return [
    ...(await measureIssuing(world, effort)),
    ...(await measureRevocationList(world, effort)),
    ...(await measureHandshakes(world, effort)),
  ];
}
