import { useEffect } from 'react';
import { integrationFacts } from '../../../../server/domain/integration/integrationFacts.ts';
import { submissionFacts } from '../../../../server/domain/review/submissionFacts.ts';
import { useIntegration } from '../../features/integration/useIntegration.ts';
import { useReadOnly } from '../../features/integration/ownerView.ts';
import { productionClient, type Integration, isOver } from '../../features/integration/integrationQuery.ts';
import { ActivationPanel } from '../../features/production/ActivationPanel.tsx';
import { CertificateStep, LivePanel, RetiredPanel, SuspendedPanel } from '../../features/production/AfterActivation.tsx';
import { ChecksPanel } from '../../features/production/ChecksPanel.tsx';
import { Observed } from '../../features/production/Observed.tsx';
import classes from '../../features/production/production.module.css';
import { ProductionGatePanel } from '../../features/production/ProductionGatePanel.tsx';
import { DraftNotices } from '../../features/production/DraftNotices.tsx';
import { productionQuery, type Production } from '../../features/production/productionQuery.ts';
import { currentStep, productionSteps, type ProductionStep } from '../../features/production/productionSteps.ts';
import { ProductionStepper } from '../../features/production/ProductionStepper.tsx';
import { ReviewStep } from '../../features/production/ReviewStep.tsx';
import { NotSubmitted } from '../../features/production/NotSubmitted.tsx';
import { ClosedSubmissions } from '../../features/production/ClosedSubmissions.tsx';
import { SubmitStep } from '../../features/production/SubmitStep.tsx';
import { useSubmissionDraft } from '../../features/production/useSubmissionDraft.ts';
import { usePolledQuery } from '../../graphql/usePolledQuery.ts';
import { Columns } from '../../ui/layout/Columns.tsx';
import { Loaded } from '../../ui/states/Loaded.tsx';

const latestOf = ({ ownSubmissions }: Production) => ownSubmissions.edges[0]?.node ?? null;
/** The submission that is still under review. */
function openOf(data: Production) {
  const latest = latestOf(data);
  return latest && submissionFacts[latest.status].isOpen ? latest : null;
}
const isChecking = (data: Production) =>
  [...data.integration.submissionChecks, ...(latestOf(data)?.checks ?? [])].some(({ checking }) => checking);

/** What was written here a moment ago belongs in the form, so nothing of an earlier visit is shown. */
const fresh = { requestPolicy: 'network-only' } as const;

/** Where the integration is between sandbox and live data, and whose turn it is: the steps, and below them the current one. */
export function Component() {
  const { integration, service, reread } = useIntegration();
  const { slug, status } = integration;
  const readOnly = useReadOnly();
  const [result, read] = usePolledQuery({
    query: productionQuery,
    variables: { slug },
    // Reviewers decide and ask questions elsewhere, and workers check the pages.
    whileTrue: (data) => openOf(data) !== null || isChecking(data),
    every: (data) => (isChecking(data) ? 1_500 : 10_000),
    context: fresh,
  });
  const submissionStatus = result.data ? latestOf(result.data)?.status : undefined;
  useEffect(() => {
    // A decision has been made. The heading and the steps depend on the integration's own status, so it is read again.
    if (integrationFacts[status].isInReview && submissionStatus !== undefined && !submissionFacts[submissionStatus].isOpen) reread();
  }, [status, submissionStatus, reread]);
  const readChecks = () => read({ requestPolicy: 'network-only' });
  const readAgain = () => {
    readChecks();
    reread();
  };
  const draft = useSubmissionDraft(integration.id, result.data ? latestOf(result.data)?.id : undefined, {
    // Saving may have begun a check of the pages. If it was refused, what is stored is another draft by now, or the integration has changed.
    onSaved: readChecks,
    onRefused: readAgain,
  });
  const steps = productionSteps({ ...integration, certificates: productionClient(integration)?.certificatesInUse ?? [] });
  return (
    <Loaded result={result} onRetry={readAgain}>
      {(production) => {
        const latest = latestOf(production);
        const { evidence, submissionChecks, reviewQueue } = production.integration;
        const known = { draft: production.integration.submissionDraft ?? null, last: latest, version: integration.profile.version };
        const step = currentStep(steps);
        const open = openOf(production);
        const side = step?.name === 'submit' || (step?.name === 'review' && open);
        const current =
          step?.name === 'submit' && readOnly ? (
            <NotSubmitted
              confirmed={production.integration.submissionDraft?.confirmations.filter(({ confirmed }) => confirmed).length ?? 0}
            />
          ) : step?.name === 'submit' ? (
            <SubmitStep
              integration={integration}
              checklist={production.reviewChecklist}
              times={production.reviewTimes}
              production={production.integration}
              last={latest}
              known={known}
              draft={draft}
              onSubmitted={readAgain}
            />
          ) : step?.name === 'review' ? (
            open && <ReviewStep submission={open} queue={reviewQueue} name={integration.profile.publicName} onChanged={readAgain} />
          ) : (
            <LaterStep step={step} steps={steps} integration={integration} contact={service.supportContact} onActivated={readAgain} />
          );
        const closed = <ClosedSubmissions slug={slug} count={(latest?.number ?? 0) - (open ? 1 : 0)} />;
        return (
          <div className={classes.main}>
            <ProductionStepper steps={steps} />
            <DraftNotices draft={draft} known={known} checklist={production.reviewChecklist} mayWrite={step?.name === 'submit'} />
            {side ? (
              <Columns
                side={
                  <ChecksPanel checks={open?.checks ?? submissionChecks} integrationId={integration.id} onChecked={readChecks}>
                    <Observed evidence={evidence} />
                  </ChecksPanel>
                }
              >
                {current}
                {closed}
              </Columns>
            ) : (
              <>
                {current}
                {closed}
              </>
            )}
          </div>
        );
      }}
    </Loaded>
  );
}

type LaterStepProps = {
  step: ProductionStep | null;
  steps: readonly ProductionStep[];
  integration: Integration;
  contact: Parameters<typeof SuspendedPanel>[0]['contact'];
  onActivated: () => void;
};

/** What comes after an approval, or in place of all steps. */
function LaterStep({ step, steps, integration, contact, onActivated }: LaterStepProps) {
  if (integration.phases.production === 'suspended') return <SuspendedPanel integration={integration} contact={contact} />;
  if (isOver(integration)) return <RetiredPanel integration={integration} />;
  if (step?.name === 'activate') return <ActivationPanel integration={integration} onActivated={onActivated} />;
  if (step?.name === 'certificate') return <CertificateStep integration={integration} />;
  const since = steps.reduce<string | null>((latest, { at }) => (at !== null && (latest === null || at > latest) ? at : latest), null);
  return (
    <>
      {!step && <LivePanel integration={integration} since={since} />}
      <ProductionGatePanel integration={integration} />
    </>
  );
}
