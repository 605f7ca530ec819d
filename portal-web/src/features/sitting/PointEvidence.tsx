import { AgreementTable } from '../business-model/AgreementTable.tsx';
import { ReportTable } from '../business-model/ReportTable.tsx';
import { EvidenceList } from '../review-evidence/EvidenceList.tsx';
import { CheckList } from './CheckList.tsx';
import { LinkList } from './LinkList.tsx';
import type { Reviewed, SubmissionInReview } from '../review/reviewQueries.ts';
import classes from './sitting.module.css';
import type { Point } from './useSitting.ts';
import type { Visit } from './useVisit.ts';

type PointEvidenceProps = { submission: SubmissionInReview; point: Point; checklist: Reviewed['reviewChecklist']; visit: Visit };

/** What the service knows about one point: where to look, what it has observed, and what the owner has told. */
export function PointEvidence({ submission, point, checklist, visit }: PointEvidenceProps) {
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
