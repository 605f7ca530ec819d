import { Notice } from '../../ui/states/Notice.tsx';
import { revocationReasonWords } from './revocationReasonWords.ts';

type RenewalsNoticeProps = {
  /** The certificates that were renewed from the one to be revoked, and that still work. */
  names: readonly string[];
  /** Whether the chosen reason revokes them as well. */
  withThem: boolean;
};

/** Says before a revocation what happens to the renewals, which anyone who has the key may have requested. */
export function RenewalsNotice({ names, withThem }: RenewalsNoticeProps) {
  const which = new Intl.ListFormat('en', { type: 'conjunction' }).format(names);
  const [was, is, it] = names.length === 1 ? ['was', 'is', 'it'] : ['were', 'are', 'them'];
  if (withThem) {
    return (
      <Notice
        title={`This also revokes ${which}`}
        words={`${which} ${was} renewed from this certificate through EST. Anyone with its key may have requested ${it}, so ${names.length === 1 ? 'it' : 'they'} ${is} revoked as well.`}
      />
    );
  }
  return (
    <Notice
      title={`${which} ${names.length === 1 ? 'keeps' : 'keep'} working`}
      words={`${which} ${was} renewed from this certificate through EST. If the back end did not request ${it}, choose “${revocationReasonWords.key_compromise}”, which revokes ${names.length === 1 ? 'both' : 'all of them'}.`}
    />
  );
}
