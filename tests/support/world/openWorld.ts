import { join } from 'node:path';
import { ensureDevelopmentTls } from '../../../server/platform/developmentTls.ts';
import { startMachine, type Machine, type MachineOptions } from './machine.ts';
import { startPortal, type Portal, type PortalOptions } from './portal.ts';
import { startWorkerPool } from './workers.ts';
import { openEmptyWorld, type World, type WorldOptions } from './World.ts';

export type PortalWorld = World & Portal;
export type MachineWorld = World & Machine;

type Processes = {
  /** The portal, on a port of its own. Its jobs wait until a test calls `work`, unless there are workers. */
  readonly portal?: true | PortalOptions;
  /** The machine API on a port of its own. */
  readonly machine?: true | Omit<MachineOptions, 'databaseUrl' | 'tls'>;
  /** Workers that do every job as soon as it is due; they need a portal. */
  readonly workers?: true;
};
type WorldWith<Given> = World &
  (Given extends { portal: true | object } ? Portal : unknown) &
  (Given extends { machine: true | object } ? Machine : unknown);

/** Opens a world for one test file, with the requested processes, which all run inside this process. The file closes it. */
export async function openWorld<const Given extends WorldOptions & Processes>(options: Given): Promise<WorldWith<Given>>;
export async function openWorld(options?: WorldOptions): Promise<World>;
export async function openWorld({ portal, machine, workers, ...options }: WorldOptions & Processes = {}): Promise<World> {
  const world = await openEmptyWorld(options);
  try {
    const tls = machine && (await ensureDevelopmentTls(join(world.folder, 'tls')));
    let machineParts: Machine | undefined;
    const portalParts =
      portal &&
      (await startPortal(world, {
        ...given(portal),
        machineApiUrl: () => machineParts?.machineApiUrl,
        ...(tls && { machineApiCa: tls.caPem }),
      }));
    if (portalParts && workers) await startWorkerPool(world, portalParts, () => machineParts?.machineApiUrl);
    if (tls) {
      const authority = portalParts?.authority ?? (await world.fixtures.authorities());
      machineParts = await startMachine(world, { ...given(machine), tls, authority });
    }
    return Object.assign(world, portalParts, machineParts);
  } catch (error) {
    await world.close();
    throw error;
  }
}

const given = <Parts>(options: true | Parts | undefined): Partial<Parts> => (options === true || options === undefined ? {} : options);
