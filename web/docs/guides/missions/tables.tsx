/** What the status of a mission means for the screen that shows it. */
export function Statuses() {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">status</th>
          <th scope="col">Meaning</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <td>
            <code>InProgress</code>
          </td>
          <td>The player is in it and their events count.</td>
        </tr>
        <tr>
          <td>
            <code>Available</code>
          </td>
          <td>Offered: nothing counts until it is accepted.</td>
        </tr>
        <tr>
          <td>
            <code>Completed</code>
          </td>
          <td>
            Done and rewarded. Left out unless <code>includeCompleted</code> is true.
          </td>
        </tr>
        <tr>
          <td>
            <code>Locked</code>
          </td>
          <td>Shown, but the player does not qualify. They are not in it.</td>
        </tr>
      </tbody>
    </table>
  );
}

export function ProgressKinds() {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">kind</th>
          <th scope="col">Meaning</th>
          <th scope="col">Draw</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <td>
            <code>TowardTarget</code>
          </td>
          <td>Counts up to a target.</td>
          <td>
            A bar filled to <code>fraction</code>.
          </td>
        </tr>
        <tr>
          <td>
            <code>WithinLimit</code>
          </td>
          <td>A count, a sum or a highest value stays under a ceiling: satisfied from the start, lost as the value rises.</td>
          <td>
            What is left. A <code>fraction</code> of 1 means gone, not done.
          </td>
        </tr>
        <tr>
          <td>
            <code>Binary</code>
          </td>
          <td>Yes or no, also of a lowest value, a latest value or an attribute below something: satisfied once there is such a value.</td>
          <td>A tick.</td>
        </tr>
        <tr>
          <td>
            <code>NotDisplayable</code>
          </td>
          <td>
            No single reading; only <code>isSatisfied</code> says something.
          </td>
          <td>A tick.</td>
        </tr>
      </tbody>
    </table>
  );
}
