import { sql } from 'drizzle-orm';

/** The oldest workspace, because its owner set up the service (decision 49). */
export const OPERATORS_WORKSPACE = sql`(SELECT min(id) FROM workspaces)`;

/** The active owners of that workspace, as rows of `user_id`. */
export const OPERATORS = sql`(
	SELECT user_id FROM members WHERE workspace_id = ${OPERATORS_WORKSPACE} AND role = 'owner' AND deactivated_at IS NULL
)`;
