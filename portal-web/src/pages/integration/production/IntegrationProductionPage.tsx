import { Text } from '@mantine/core';
import { IconCircle, IconCircleCheckFilled, IconCircleDot, IconCircleX, IconClockHour4, type TablerIcon } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useQuery } from 'urql';
import { integrationFacts } from '../../../../../server/domain/integration/integrationFacts.ts';
import { submissionFacts } from '../../../../../server/domain/review/submissionFacts.ts';
import { NotSaved } from '../../../features/drafts/NotSaved.tsx';
import { type Integration, isOver, type Phase, productionClient } from '../../../features/integration/integrationQuery.ts';
import { useReadOnly } from '../../../features/integration/ownerView.ts';
import { useIntegration } from '../../../features/integration/useIntegration.ts';
import { EvidenceList } from '../../../features/review-evidence/EvidenceList.tsx';
import type { Evidence } from '../../../features/review-evidence/evidenceQuery.ts';
import { Words } from '../../../features/review/Checklist.tsx';
import { EarlierSubmissions } from '../../../features/review/EarlierSubmissions.tsx';
import { usePolledQuery } from '../../../graphql/usePolledQuery.ts';
import { Columns } from '../../../ui/layout/Columns.tsx';
import { Fold } from '../../../ui/layout/Fold.tsx';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { LoadedList } from '../../../ui/lists/LoadedList.tsx';
import { PagedList } from '../../../ui/lists/PagedList.tsx';
import { usePagination } from '../../../ui/lists/usePagination.ts';
import { Loaded } from '../../../ui/states/Loaded.tsx';
import { Notice } from '../../../ui/states/Notice.tsx';
import { counted } from '../../../ui/text/counted.ts';
import { Time } from '../../../ui/time/Time.tsx';
import { EnvironmentTag } from '../../../ui/values/EnvironmentTag.tsx';
import { Facts } from '../../../ui/values/Facts.tsx';
import { StatusBadge } from '../../../ui/values/StatusBadge.tsx';
import { ActivationPanel, CertificateStep, LivePanel, RetiredPanel, SuspendedPanel } from './Activation.tsx';
import classes from './production.module.css';
import { type ChecklistItem, closedSubmissionsQuery, type Production, productionQuery } from './productionQuery.ts';
import productionStepperClasses from './ProductionStepper.module.css';
import { currentStep, productionDataWords, type ProductionStep, productionSteps } from './productionSteps.ts';
import { ChecksPanel, ReviewStep } from './ReviewStep.tsx';
import { beginning, type FormValues } from './submissionForm.ts';
import { checksAsTasks, SubmitStep } from './SubmitStep.tsx';
import { type Known, type SubmissionDraft, useSubmissionDraft } from './useSubmissionDraft.ts';

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
        const checksAhead = readOnly ? submissionChecks : submissionChecks.filter(({ check }) => !checksAsTasks.includes(check));
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
            <LaterStep {...{ step, steps, integration }} contact={service.supportContact} onActivated={readAgain} />
          );
        const closed = <ClosedSubmissions slug={slug} count={(latest?.number ?? 0) - (open ? 1 : 0)} />;
        return (
          <div className={classes.main}>
            <ProductionStepper steps={steps} over={isOver(integration)} />
            <DraftNotices draft={draft} known={known} checklist={production.reviewChecklist} mayWrite={step?.name === 'submit'} />
            {side ? (
              <Columns
                side={
                  <ChecksPanel checks={open?.checks ?? checksAhead} integrationId={integration.id} onChecked={readChecks}>
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

type StoppedProps = Parameters<typeof SuspendedPanel>[0];
/** What takes the place of all steps. */
const stoppedPanels: Readonly<Record<Phase, ((props: StoppedProps) => ReactNode) | null>> = {
  unapproved: null,
  prepared: null,
  open: null,
  suspended: SuspendedPanel,
  over: RetiredPanel,
};

type LaterStepProps = StoppedProps & {
  step: ProductionStep | null;
  steps: readonly ProductionStep[];
  onActivated: () => void;
};

/** What comes after an approval, or in place of all steps. */
function LaterStep({ step, steps, integration, contact, onActivated }: LaterStepProps) {
  const Stopped = stoppedPanels[integration.phases.production];
  if (Stopped) return <Stopped integration={integration} contact={contact} />;
  const since = steps.reduce<string | null>((latest, { at }) => (at !== null && (latest === null || at > latest) ? at : latest), null);
  return (
    <div className={classes.pair}>
      {step?.name === 'activate' ? (
        <ActivationPanel integration={integration} onActivated={onActivated} />
      ) : step?.name === 'certificate' ? (
        <CertificateStep integration={integration} />
      ) : (
        <LivePanel integration={integration} live={!step} since={since} />
      )}
      <ProductionGatePanel integration={integration} />
    </div>
  );
}

/** What the service has observed of what reviewers look for, folded. */
function Observed({ evidence }: { evidence: readonly Evidence[] }) {
  return (
    <Fold summary="What we look for in your sandbox">
      <EvidenceList evidence={evidence} />
    </Fold>
  );
}

/** The form of a submission for those who can only look: how far its owner has come. */
function NotSubmitted({ confirmed }: { confirmed: number }) {
  return (
    <Panel title="Not submitted yet">
      <Text>
        The owner prepares the submission; {counted(confirmed, 'point')} of the checklist {confirmed === 1 ? 'is' : 'are'} confirmed so far.
      </Text>
    </Panel>
  );
}

/** The submissions whose review is over, read once they are unfolded. */
function ClosedSubmissions({ slug, count }: { slug: string; count: number }) {
  const pagination = usePagination('submissions');
  const [open, setOpen] = useState(pagination.after !== null);
  if (count === 0) return null;
  return (
    <Fold summary={counted(count, 'closed submission')} open={open} onOpen={() => setOpen(true)}>
      {open && <SubmissionPages slug={slug} />}
    </Fold>
  );
}

function SubmissionPages({ slug }: { slug: string }) {
  const pagination = usePagination('submissions');
  const [result, read] = useQuery({ query: closedSubmissionsQuery, variables: { slug, after: pagination.after } });
  return (
    <LoadedList pagination={pagination} result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
      {({ ownSubmissions }) => (
        <PagedList label="Submissions" pagination={pagination} page={ownSubmissions} none={null}>
          {(submissions) => (
            <EarlierSubmissions submissions={submissions.filter(({ status }) => !submissionFacts[status].isOpen)} reader="operator" />
          )}
        </PagedList>
      )}
    </LoadedList>
  );
}

const icons: Readonly<Record<ProductionStep['state'], TablerIcon>> = {
  done: IconCircleCheckFilled,
  yours: IconCircleDot,
  theirs: IconClockHour4,
  later: IconCircle,
  stopped: IconCircleX,
};

/** The steps to production in a row, each with its state and its date; dimmed once all is over. */
function ProductionStepper({ steps, over }: { steps: readonly ProductionStep[]; over: boolean }) {
  return (
    <ol className={productionStepperClasses.steps} data-over={over || undefined} aria-label="Steps to production">
      {steps.map(({ name, title, state, tone, word, at }) => {
        const Icon = icons[state];
        const current = state === 'yours' || state === 'theirs';
        return (
          <li
            key={name}
            className={productionStepperClasses.step}
            data-state={state}
            data-tone={tone}
            {...(current && { 'aria-current': 'step' as const })}
          >
            <Icon size={20} stroke={1.75} aria-hidden className={productionStepperClasses.icon} />
            <span className={productionStepperClasses.title}>{title}</span>
            <span className={productionStepperClasses.word}>
              {word}
              {at !== null && (
                <>
                  {', '}
                  <Time value={at} />
                </>
              )}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

type DraftNoticesProps = { draft: SubmissionDraft; known: Known; checklist: readonly ChecklistItem[]; mayWrite: boolean };

/** What has happened while the owner was writing a submission: nothing that they wrote disappears from the page. */
function DraftNotices({ draft, known, checklist, mayWrite }: DraftNoticesProps) {
  const { refusal, unsaved } = draft;
  if (!unsaved) return null;
  if (!mayWrite) {
    return (
      <Notice
        title="There is nothing to submit at the moment"
        words="The integration has changed in the meantime, so what you wrote is not saved. Copy what you still need."
      >
        {textsOf(unsaved, checklist).map(({ title, text }) => (
          <Words key={title} label={title} text={text} />
        ))}
      </Notice>
    );
  }
  if (refusal === null) return null;
  const stored = beginning(known);
  const mine = textsOf(unsaved, checklist);
  const different = textsOf(stored, checklist).filter(({ title, text }) => mine.find((each) => each.title === title)?.text !== text);
  return (
    <NotSaved
      refusal={refusal}
      theirs={[...different, { title: 'Confirmations', text: counted(stored.ticked.size, 'point') }]}
      onKeepMine={() => draft.keepMine(known)}
      onTakeTheirs={draft.takeTheirs}
      onRetry={draft.retry}
    />
  );
}

/** What is written, each text with its name. */
function textsOf({ reviewUrl, words }: FormValues, checklist: readonly ChecklistItem[]): { title: string; text: string }[] {
  const notes = checklist.map(({ item, title }) => ({ title, text: words[item]?.trim() ?? '' }));
  return [{ title: 'Review address', text: reviewUrl.trim() }, ...notes].filter(({ text }) => text !== '');
}

/** Shows the owner whether production data flows. Shows nothing before an approval. */
function ProductionGatePanel({ integration }: { integration: Integration }) {
  const { productionGate, serviceGate } = integration;
  if (!serviceGate) return null;
  const data = productionDataWords(integration);
  return (
    <Panel
      title="Production gates"
      marks={<EnvironmentTag environment="production" />}
      lead="Administrators open and close them, one for the whole service and one for each integration. No status of the integration changes them."
    >
      <Facts
        facts={[
          ['Whole service', <GateFacts key="service" gate={serviceGate} />],
          ['This integration', <GateFacts key="integration" gate={productionGate} />],
          [
            'Production data',
            <div key="data">
              <StatusBadge tone={data.tone}>{data.word}</StatusBadge>
              <Text size="sm" c="dimmed" mt={4}>
                {data.text}
              </Text>
            </div>,
          ],
        ]}
      />
    </Panel>
  );
}

/** Whether a gate is open, and if it was ever changed, since when and why. */
function GateFacts({ gate: { open, changedAt, reason } }: { gate: Integration['productionGate'] }) {
  return (
    <div>
      <StatusBadge tone={open ? 'good' : 'stopped'}>{open ? 'Open' : 'Closed'}</StatusBadge>
      {changedAt && (
        <Text size="sm" c="dimmed" component="div" mt={4} style={{ overflowWrap: 'anywhere' }}>
          <Time value={changedAt} />
          {reason && <>. Reason: {reason}</>}
        </Text>
      )}
    </div>
  );
}
