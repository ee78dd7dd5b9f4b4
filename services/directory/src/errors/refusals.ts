import { ScimError } from '@ostiary/scim';

// In SCIM these are the errors of RFC 7644; the graph adds details.

/** The resource is at another version (412). */
export class VersionMismatch extends ScimError {
  readonly currentVersion: number;

  constructor(currentVersion: number) {
    const { status, detail, scimType } = ScimError.preconditionFailed();
    super(status, detail, scimType);
    this.currentVersion = currentVersion;
  }
}

/** Another resource has the value (409 uniqueness). */
export class NotUniqueValue extends ScimError {
  readonly attribute: string | undefined;

  constructor(detail: string, attribute?: string) {
    super(409, detail, 'uniqueness');
    this.attribute = attribute;
  }
}

/** The value is invalid (400 invalidValue). */
export class InvalidAttribute extends ScimError {
  readonly attribute: string;

  constructor(detail: string, attribute: string) {
    super(400, detail, 'invalidValue');
    this.attribute = attribute;
  }
}

/**
 * Returns the error for a change that would assign a role, or change an identifying attribute of a role holder (403).
 */
export const givesRole = (): ScimError =>
  ScimError.forbidden(
    'This change assigns a role or affects a holder of one. It requires the right to assign that role.',
  );
