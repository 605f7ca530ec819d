import { Fold } from '../../ui/layout/Fold.tsx';
import { EvidenceList } from '../review-evidence/EvidenceList.tsx';
import type { Evidence } from '../review-evidence/evidenceQuery.ts';

/** What the service has observed of what reviewers look for, folded. */
export function Observed({ evidence }: { evidence: readonly Evidence[] }) {
  const seen = evidence.filter((each) => each.seen).length;
  return (
    <Fold summary={`${seen} of ${evidence.length} observed in your sandbox`}>
      <EvidenceList evidence={evidence} />
    </Fold>
  );
}
