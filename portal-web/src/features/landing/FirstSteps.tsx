import { useFrame } from '../../graphql/useFrame.ts';
import classes from './landing.module.css';

/** What a newcomer does, in order. */
export function FirstSteps() {
  const [{ data }] = useFrame();
  const limits = data?.service.limits;
  const records = limits ? `${limits.corpusOrders} orders and ${limits.corpusVehicles} stock vehicles` : 'orders and stock vehicles';
  return (
    <ol className={classes.plain}>
      <li>
        <strong>Register</strong> with your email address and create a passkey. There are no passwords.
      </li>
      <li>
        <strong>Describe your integration</strong> and ask for the smallest set of scopes. Its sandbox is filled with test data, up to{' '}
        {records}, depending on the scopes.
      </li>
      <li>
        <strong>Get a certificate.</strong> Your browser makes the private key, or you do. It is never sent to us.
      </li>
      <li>
        <strong>Pull</strong> your first records with curl or with your own client.
      </li>
    </ol>
  );
}
