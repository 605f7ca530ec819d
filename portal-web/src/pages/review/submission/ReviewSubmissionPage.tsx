import { Anchor, Button, Text, Title } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { Link, useLocation, useNavigate, useParams } from 'react-router';
import { useClient, useMutation } from 'urql';
import { submissionFacts } from '../../../../../server/domain/review/submissionFacts.ts';
import { AgreementTable } from '../../../features/business-model/AgreementTable.tsx';
import { ReportTable } from '../../../features/business-model/ReportTable.tsx';
import { NotSaved } from '../../../features/drafts/NotSaved.tsx';
import { EvidenceList } from '../../../features/review-evidence/EvidenceList.tsx';
import { Checklist, Words } from '../../../features/review/Checklist.tsx';
import { askQuestionMutation } from '../../../features/review/reviewMutations.ts';
import { nextSubmissionQuery, type Reviewed, type SubmissionInReview, submissionQuery } from '../../../features/review/reviewQueries.ts';
import { MessageForm, Thread } from '../../../features/review/Thread.tsx';
import { pageLoader } from '../../../graphql/pageLoader.ts';
import { usePolledQuery } from '../../../graphql/usePolledQuery.ts';
import { paths } from '../../../paths.ts';
import { PageHeader } from '../../../ui/layout/PageHeader.tsx';
import { Loaded } from '../../../ui/states/Loaded.tsx';
import { Notice } from '../../../ui/states/Notice.tsx';
import { StatusBadge } from '../../../ui/values/StatusBadge.tsx';
import { Assignment } from './Assignment.tsx';
import { CheckList, Claims, LinkList } from './Claims.tsx';
import { DecisionDialog } from './DecisionDialog.tsx';
import { focusPoint, pointButtonOf, PointForm, questionField, useReviewKeys } from './PointForm.tsx';
import classes from './sitting.module.css';
import { type Point, type Sitting, useSitting } from './useSitting.ts';
import { useVisit, type Visit } from './useVisit.ts';

export const loader = pageLoader(({ ask, params: { id = '' } }) => ask(submissionQuery, { id }));

/** One submission: what is claimed and what is proved on one side, what the reviewer still owes on the other. */
export function Component() {
  const { id = '' } = useParams();
  const [result, read] = usePolledQuery({
    query: submissionQuery,
    variables: { id },
    // The owner answers and colleagues decide elsewhere, so the page has to poll.
    whileTrue: ({ submission }) => submissionFacts[submission.status].isOpen,
    every: 5_000,
  });
  const reread = () => read({ requestPolicy: 'network-only' });
  return (
    <Loaded whole result={result} onRetry={reread}>
      {(reviewed) => <Review key={reviewed.submission.id} {...reviewed} reread={reread} />}
    </Loaded>
  );
}

function Review({ submission, reviewChecklist, currentTerms, reread }: Reviewed & { reread: () => void }) {
  const [, askQuestion] = useMutation(askQuestionMutation);
  const sitting = useSitting(submission, reread);
  const { isOpen } = submissionFacts[submission.status];
  const visit = useVisit(submission, isOpen);
  const { checklist } = submission;
  const mayWork = isOpen && (submission.mine || !submission.taken);
  const metOf = (item: Point['item']) => sitting.draftOf(item).met;
  const [point, setPoint] = useState<Point['item'] | null>(() => checklist.find(({ item }) => metOf(item) === null)?.item ?? null);
  const [decision, setDecision] = useState<'approve' | 'reject' | null>(null);
  const goOn = useNextSubmission(submission);
  const { state } = useLocation() as { state: { decided?: string } | null };
  const judged = { met: count(true), notMet: count(false), total: checklist.length };
  const badge = submissionFacts[submission.status];

  function count(met: boolean) {
    return checklist.filter(({ item }) => metOf(item) === met).length;
  }
  function judge(item: Point['item'], met: boolean) {
    sitting.change(item, { met });
    // What is met needs nothing more, so the next open point follows.
    if (!met) return;
    const next = nextOpen(checklist, item, (each) => metOf(each) === null);
    if (!next) return;
    setPoint(next);
    focusPoint(next);
  }
  const approve = () => judged.met === judged.total && setDecision('approve');
  const reject = () => setDecision('reject');
  useReviewKeys({ points: checklist, open: point, onOpen: setPoint, onJudge: judge, onApprove: approve, onReject: reject, mayWork });

  return (
    <div className={classes.page}>
      <PageHeader
        title={submission.profile.publicName}
        documentTitle={`Review: ${submission.profile.publicName}`}
        lead={`Submission ${submission.number}, slug ${submission.slug}`}
        marks={<StatusBadge tone={badge.tone}>{badge.word}</StatusBadge>}
        actions={isOpen && <Assignment submission={submission} sitting={sitting} onChanged={reread} />}
      />
      {state?.decided && (
        <Text size="sm" role="status">
          {state.decided} This is the next submission.
        </Text>
      )}
      <SittingNotices submission={submission} sitting={sitting} />
      <div className={classes.columns}>
        <section className={classes.column} aria-label="Claims and evidence">
          <Claims submission={submission} currentTerms={currentTerms.version} visit={visit} onChecked={reread} />
        </section>
        <section className={classes.side} id={reviewPart} aria-label="Review">
          {/* What is decided has no control to take the focus, so that the keyboard could not scroll it. */}
          <div className={classes.scroll} {...(!mayWork && { tabIndex: 0, role: 'group', 'aria-label': 'Checklist and questions' })}>
            {mayWork ? (
              <PointList points={checklist} open={point} onOpen={setPoint} metOf={({ item }) => metOf(item)}>
                {(each) => (
                  <>
                    <Text size="sm" c="dimmed">
                      {each.lookFor}
                    </Text>
                    {!each.confirmed && (
                      <Text size="sm" mt="xs">
                        This item was added to the checklist after the submission, so the owner has not confirmed it. It is reviewed anyway.
                      </Text>
                    )}
                    {each.word && <Words label="Note from the owner" text={each.word} />}
                    <PointEvidence submission={submission} point={each} checklist={reviewChecklist} visit={visit} />
                    <PointForm
                      point={each}
                      draft={sitting.draftOf(each.item)}
                      formerNotes={submission.formerNotes.find(({ item }) => item === each.item)?.notes ?? []}
                      onChange={(changes) => sitting.change(each.item, changes)}
                      onJudge={(met) => judge(each.item, met)}
                    />
                  </>
                )}
              </PointList>
            ) : (
              <Checklist items={checklist} forReviewers />
            )}
            <section className={classes.questions} aria-labelledby="review-questions">
              <Title order={2} id="review-questions" size="h3" mb="xs">
                Questions and answers
              </Title>
              <QuestionWords submission={submission} />
              <Thread messages={submission.messages} reader="reviewer" />
              {mayWork && (
                <MessageForm
                  id={questionField}
                  label="Ask the owner"
                  description="We email the owner, who answers here. Until then, the submission waits for the owner."
                  button="Send question"
                  draft={{ body: sitting.draftOf('question').note, onChange: (note) => sitting.change('question', { note }) }}
                  send={(body) => askQuestion({ input: { submissionId: submission.id, body } })}
                  onSent={reread}
                />
              )}
            </section>
          </div>
          {mayWork && <DecisionBar judged={judged} saved={sitting.saved} onApprove={approve} onReject={reject} />}
        </section>
      </div>
      {decision && (
        <DecisionDialog
          submission={submission}
          decision={decision}
          sitting={sitting}
          onClose={() => setDecision(null)}
          onRefused={reread}
          onDecided={() => void goOn(decision === 'approve' ? 'approved' : 'rejected')}
        />
      )}
    </div>
  );
}

/** The first open point after this one, or else from the beginning. */
function nextOpen(points: readonly Point[], after: Point['item'], isOpen: (item: Point['item']) => boolean): Point['item'] | undefined {
  const here = points.findIndex(({ item }) => item === after);
  return [...points.slice(here + 1), ...points.slice(0, here)].find(({ item }) => isOpen(item))?.item;
}

/** After a decision the next submission opens, or the queue if there is none. */
function useNextSubmission({ id, profile: { publicName } }: Reviewed['submission']) {
  const client = useClient();
  const navigate = useNavigate();
  return async (outcome: 'approved' | 'rejected') => {
    const { data } = await client.query(nextSubmissionQuery, { after: id }, { requestPolicy: 'network-only' });
    const next = data?.nextSubmission;
    void navigate(next ? paths.submission(next.id) : paths.review, { state: { decided: `${publicName} is ${outcome}.` } });
  };
}

function QuestionWords({ submission: { status, waitingFor, messages } }: Pick<Reviewed, 'submission'>) {
  const words =
    messages.length === 0
      ? 'No questions were asked.'
      : submissionFacts[status].isOpen && waitingFor === 'operator'
        ? 'Waiting for the owner’s answer.'
        : null;
  return (
    words && (
      <Text size="sm" c="dimmed" mb="xs">
        {words}
      </Text>
    )
  );
}

type DecisionBarProps = {
  judged: { met: number; notMet: number; total: number };
  saved: boolean;
  onApprove: () => void;
  onReject: () => void;
};

/** Where one column has both the claims and the review, the way from one to the other. */
const reviewPart = 'review';

/** How far the review is, and the two decisions. */
function DecisionBar({ judged: { met, notMet, total }, saved, onApprove, onReject }: DecisionBarProps) {
  const missingId = useId();
  return (
    <div className={classes.bar} role="group" aria-label="Decision">
      <div className={classes.progress}>
        <Text size="sm" role="status">
          <strong>
            {met + notMet} of {total}
          </strong>
          {notMet > 0 && `, ${notMet} not met`}
          <span className={classes.saved}>{saved ? 'Saved' : 'Saving…'}</span>
        </Text>
        {met < total && (
          <p id={missingId} className={classes.missing}>
            You can approve once all {total} points are met.
          </p>
        )}
      </div>
      <Anchor component={Link} to={`#${reviewPart}`} className={classes.toChecklist}>
        Go to the checklist
      </Anchor>
      <Button variant="default" size="xs" onClick={onReject}>
        Reject
      </Button>
      <Button size="xs" disabled={met < total} aria-describedby={met < total ? missingId : undefined} onClick={onApprove}>
        Approve
      </Button>
    </div>
  );
}

type PointEvidenceProps = { submission: SubmissionInReview; point: Point; checklist: Reviewed['reviewChecklist']; visit: Visit };

/** What the service knows about one point: where to look, what it has observed, and what the owner has told. */
function PointEvidence({ submission, point, checklist, visit }: PointEvidenceProps) {
  const { links = [], evidence: kinds = [] } = checklist.find(({ item }) => item === point.item) ?? {};
  const evidence = submission.evidence.filter(({ kind }) => kinds.includes(kind));
  const checks = submission.checks.filter(({ checklistItem }) => checklistItem === point.item);
  return (
    <div className={classes.evidence}>
      {links.length > 0 && <LinkList submission={submission} visit={visit} only={links} />}
      {point.item === 'privacy' && <p>Purpose in the profile: {submission.profile.purpose}</p>}
      {point.item === 'support' && <p>Support email in the profile: {submission.profile.supportEmail}</p>}
      {checks.length > 0 && <CheckList checks={checks} label={`Checks: ${point.title}`} />}
      {evidence.length > 0 && <EvidenceList evidence={evidence} />}
      {point.item === 'noMonetization' && (
        <>
          <AgreementTable agreements={submission.commercialAgreements} />
          <ReportTable reports={submission.businessModelReports} />
        </>
      )}
    </div>
  );
}

/** What has happened while the reviewer was writing: nothing they wrote disappears from the page. */
function SittingNotices({ submission, sitting }: { submission: SubmissionInReview; sitting: Sitting }) {
  const notes = sitting.notes();
  const { status, mine, taken, reviewer } = submission;
  const { isOpen, word } = submissionFacts[status];
  if (isOpen && (mine || !taken)) {
    if (sitting.refusal === null) return null;
    return (
      <NotSaved
        refusal={sitting.refusal}
        theirs={sitting.theirs()}
        onKeepMine={() => void sitting.keepMine()}
        onTakeTheirs={() => void sitting.takeTheirs()}
        onRetry={() => void sitting.retry()}
      />
    );
  }
  if (notes.length === 0) return null;
  return (
    <Notice
      title={isOpen ? `${reviewer ?? 'A colleague'} has taken this over` : `${word} in the meantime`}
      words={
        isOpen
          ? 'Your verdicts are kept. Only you can see these notes. They stay here while the submission is open.'
          : 'Nothing more can be recorded. Copy what you still need from your notes.'
      }
    >
      {notes.map(({ part, title, note }) => (
        <Words key={part} label={title} text={note} />
      ))}
    </Notice>
  );
}

type PointListProps = {
  points: readonly Point[];
  open: Point['item'] | null;
  onOpen: (item: Point['item'] | null) => void;
  /** What has been decided about a point so far. */
  metOf: (point: Point) => boolean | null;
  children: (point: Point) => ReactNode;
};

/** The points of a review, one of them open. */
function PointList({ points, open, onOpen, metOf, children }: PointListProps) {
  return (
    <ol className={classes.points} aria-label="Points">
      {points.map((point) => {
        const isOpen = point.item === open;
        const Chevron = isOpen ? IconChevronDown : IconChevronRight;
        return (
          <li key={point.item} aria-label={point.title} data-open={isOpen || undefined}>
            <h3>
              <button
                type="button"
                id={pointButtonOf(point.item)}
                className={classes.point}
                aria-expanded={isOpen}
                onClick={() => onOpen(isOpen ? null : point.item)}
              >
                <Chevron size={16} aria-hidden />
                <span className={classes.title}>{point.title}</span>
                <PointBadge met={metOf(point)} />
              </button>
            </h3>
            {isOpen && <div className={classes.body}>{children(point)}</div>}
          </li>
        );
      })}
    </ol>
  );
}

function PointBadge({ met }: { met: boolean | null }) {
  if (met === null) return <StatusBadge tone="neutral">Open</StatusBadge>;
  return met ? <StatusBadge tone="good">Met</StatusBadge> : <StatusBadge tone="bad">Not met</StatusBadge>;
}
