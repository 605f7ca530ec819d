import { useState } from 'react';
import { isOver } from '../../integration/integrationQuery.ts';
import { AgreementDialog } from '../../business-model/AgreementDialog.tsx';
import { RowMenu, type RowAction } from '../../../ui/lists/RowMenu.tsx';
import { auditPathOf } from '../auditPathOf.ts';
import type { AdministeredIntegration } from '../integrationQueries.ts';
import { GateDialog } from './GateDialog.tsx';
import { OverrideDialog } from './OverrideDialog.tsx';
import { StatusDialog, statusDecisions, type StatusDecision } from './StatusDialog.tsx';

type Act = StatusDecision | 'gate' | 'quota' | 'agreement';
type IntegrationActsProps = { integration: AdministeredIntegration; onChanged: () => void };

/** Everything that an administrator can decide about an integration, in one menu. Each act asks first. */
export function IntegrationActs({ integration, onChanged }: IntegrationActsProps) {
  const { productionGate, availableActions, id, profile, clients } = integration;
  const [asked, setAsked] = useState<Act | null>(null);
  const shared = { integration, onChanged, onClose: () => setAsked(null) };
  const retired = isOver(integration);
  const [client, ...others] = clients.toSorted((one, other) => one.environment.localeCompare(other.environment));

  const act = (label: string, name: Act, tone?: 'danger'): RowAction => ({
    label,
    onSelect: () => setAsked(name),
    ...(tone && { tone }),
  });
  const decision = (name: StatusDecision): RowAction[] =>
    availableActions.includes(name) ? [act(statusDecisions[name].word, name, statusDecisions[name].danger ? 'danger' : undefined)] : [];

  return (
    <>
      <RowMenu
        label="Actions"
        name={profile.publicName}
        actions={[
          ...decision('suspendIntegration'),
          ...decision('reactivateIntegration'),
          ...(productionGate.open || !retired ? [act(productionGate.open ? 'Close the gate' : 'Open the gate', 'gate')] : []),
          ...(retired ? [] : [act('Override a quota', 'quota'), act('Record an agreement', 'agreement')]),
          ...decision('retireIntegration'),
          { label: 'Copy integration ID', copy: id },
          { label: 'Entries in the audit trail', to: auditPathOf(id) },
        ]}
      />
      {asked === 'gate' && <GateDialog {...shared} />}
      {asked === 'quota' && client && <OverrideDialog {...shared} clients={[client, ...others]} />}
      {asked === 'agreement' && (
        <AgreementDialog integrationId={id} name={profile.publicName} onRecorded={onChanged} onClose={shared.onClose} />
      )}
      {asked !== null && asked in statusDecisions && <StatusDialog {...shared} decision={asked as StatusDecision} />}
    </>
  );
}
