import { Anchor, List } from '@mantine/core';
import { Link } from 'react-router';
import { overlapDays } from '../../../../../server/domain/certificate/certificateFacts.ts';
import { paths } from '../../../paths.ts';
import { Panel } from '../../../ui/layout/Panel.tsx';

type NextCertificatePanelProps = {
  renewalByEst: boolean;
  /** Whether every call is refused: then nobody is warned. */
  stopped: boolean;
  /** Whether the page says already that a new one is needed now. */
  warned: boolean;
};

/** What comes before a certificate ends. It stays when the end is near, for that is when the reader wants to know. */
export function NextCertificatePanel({ renewalByEst, stopped, warned }: NextCertificatePanelProps) {
  return (
    <Panel title="Before it ends">
      <List size="sm" spacing="xs">
        {!stopped && <List.Item>We email you several times in its last month.</List.Item>}
        {!warned && (
          <List.Item>
            A new certificate has a new key. Both work side by side for up to {overlapDays} days, so you can switch without downtime.
          </List.Item>
        )}
        <List.Item>
          {renewalByEst ? 'Your back end may renew it by itself.' : 'Your back end can renew it by itself, if you allow that.'}{' '}
          <Anchor component={Link} to={paths.guide('certificate-renewal')} inherit>
            Automatic renewal
          </Anchor>
        </List.Item>
        <List.Item>
          <Anchor component={Link} to={paths.guide('certificates')} inherit>
            Read the certificates guide
          </Anchor>
        </List.Item>
      </List>
    </Panel>
  );
}
