import { CopyPage } from '../../features/docs/CopyPage.tsx';
import { DocsFrame } from '../../features/docs/DocsFrame.tsx';
import { ProblemCodes } from '../../features/docs/ProblemCodes.tsx';
import { paths } from '../../paths.ts';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';

/** Every code of the machine API. */
export function Component() {
  return (
    <DocsFrame>
      <PageHeader
        title="Problems"
        lead="Every code of the machine API, and what to do about it."
        actions={<CopyPage path={paths.problems} />}
      />
      <ProblemCodes />
    </DocsFrame>
  );
}
