import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useFrame } from '../../graphql/useFrame.ts';
import { paths } from '../../paths.ts';
import { useSession } from '../session/SessionContext.ts';
import { useSignOut } from '../session/useSignOut.ts';
import { copied } from './copied.ts';
import type { PaletteAct } from './paletteActs.ts';

/** What can be done on every page. */
export function useOwnActs(): PaletteAct[] {
  const [{ data }] = useFrame();
  const { state } = useSession();
  const { setColorScheme } = useMantineColorScheme();
  const other = useComputedColorScheme('light') === 'light' ? 'dark' : 'light';
  const { signOut } = useSignOut();
  const url = data?.service.machineApiUrl;
  return [
    ...(url === undefined ? [] : [{ label: 'Copy base URL', words: 'address of the machine API', run: () => copied(url, 'The base URL') }]),
    { label: `Switch to ${other}`, words: 'dark light colours', run: () => setColorScheme(other) },
    ...(state === 'signed-in' ? [{ label: 'Sign out', words: 'end session', run: () => void signOut() }] : []),
    ...(state === 'signed-out' ? [{ label: 'Sign in', words: 'passkey', to: paths.signIn }] : []),
  ];
}
