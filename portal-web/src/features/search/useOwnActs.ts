import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useFrame } from '../../graphql/useFrame.ts';
import { paths } from '../../paths.ts';
import { useZone } from '../../ui/time/useZone.ts';
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
  const [zone, changeZone] = useZone();
  const { signOut } = useSignOut();
  const url = data?.service.machineApiUrl;
  return [
    ...(url === undefined ? [] : [{ label: 'Copy base URL', words: 'address of the machine API', run: () => copied(url, 'The base URL') }]),
    { label: `Switch to ${other}`, words: 'dark light colours', run: () => setColorScheme(other) },
    zone === 'utc'
      ? { label: 'Show times in your own zone', words: 'local UTC time zone', run: () => changeZone('local') }
      : { label: 'Show times in UTC', words: 'local time zone', run: () => changeZone('utc') },
    ...(state === 'signed-in' ? [{ label: 'Sign out', words: 'end session', run: () => void signOut() }] : []),
    ...(state === 'signed-out' ? [{ label: 'Sign in', words: 'passkey', to: paths.signIn }] : []),
  ];
}
