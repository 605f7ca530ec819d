import { phaseFacts } from '../../../../server/domain/integration/integrationFacts.ts';
import { useNavigate } from 'react-router';
import { copied } from '../search/copied.ts';
import { want } from '../search/paletteActs.ts';
import { usePageActs } from '../search/usePageActs.ts';
import { useEnvironment } from './environment.ts';
import type { Environment } from './environmentsOf.ts';
import type { Integration } from './integrationQuery.ts';
import { useIntegrationPaths, useReadOnly } from './ownerView.ts';

type Shown = {
  readonly phases: Integration['phases'];
  readonly clients: readonly { readonly id: string; readonly environment: Environment }[];
  /** Null where the page shows both environments. */
  readonly changeEnvironment: ((environment: Environment) => void) | null;
};

/** What the palette offers on every tab of an integration. A reader who only looks can copy and look elsewhere. */
export function useIntegrationActs({ phases, clients, changeEnvironment }: Shown): void {
  const to = useIntegrationPaths();
  const navigate = useNavigate();
  const [environment] = useEnvironment();
  const client = clients.find((each) => each.environment === environment);
  const other = clients.find((each) => each.environment !== environment)?.environment;
  const mayAct = !useReadOnly();
  const elsewhere = (path: string, act: Parameters<typeof want>[0]) => () => {
    want(act);
    void navigate(path);
  };
  usePageActs([
    ...(mayAct && phaseFacts[phases.sandbox].shares
      ? [{ label: 'Generate link code', words: 'redeem user sandbox test', run: elsewhere(to.sandbox(), 'link code') }]
      : []),
    ...(mayAct && phaseFacts[phases[environment]].certificates === 'yes'
      ? [{ label: 'New certificate', words: 'create request renewal rotation CSR P12', run: elsewhere(to.certificates(), 'certificate') }]
      : []),
    ...(client ? [{ label: 'Copy client ID', words: environment, run: () => copied(client.id, `The ${environment} client ID`) }] : []),
    ...(other && changeEnvironment ? [{ label: `Switch to ${other}`, words: 'environment', run: () => changeEnvironment(other) }] : []),
  ]);
}
