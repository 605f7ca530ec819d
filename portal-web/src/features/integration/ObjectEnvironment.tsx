import { createContext, use, useLayoutEffect } from 'react';
import type { Environment } from './environmentsOf.ts';

/** Takes the environment of the object that a tab shows. */
export const ObjectEnvironmentContext = createContext<(environment: Environment | null) => void>(() => {});

/** Says of which environment the object is that a tab shows, so that the frame says how that one is, whatever the address names. */
export function ObjectEnvironment({ environment }: { environment: Environment }) {
  const tell = use(ObjectEnvironmentContext);
  // Before anything is painted, so that the line comes with the object.
  useLayoutEffect(() => {
    tell(environment);
    return () => tell(null);
  }, [tell, environment]);
  return null;
}
