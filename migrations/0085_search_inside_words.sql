-- Search inside words (decision 66). By hand: WITHOUT ROWID, which Drizzle cannot say, and the triggers, which keep the parts of each
-- search text. Rows from before have no text until cron fills it in: SQLite cannot fold accents.
CREATE TABLE `coupon_parts` (
	`program_id` integer NOT NULL,
	`part` text NOT NULL,
	`coupon_id` integer NOT NULL,
	PRIMARY KEY(`program_id`, `part`, `coupon_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `link_parts` (
	`program_id` integer NOT NULL,
	`part` text NOT NULL,
	`link_id` integer NOT NULL,
	PRIMARY KEY(`program_id`, `part`, `link_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `partner_parts` (
	`program_id` integer NOT NULL,
	`part` text NOT NULL,
	`partner_id` integer NOT NULL,
	PRIMARY KEY(`program_id`, `part`, `partner_id`)
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `coupons` ADD `search_text` text;--> statement-breakpoint
CREATE INDEX `coupons_without_search_text` ON `coupons` (`program_id`) WHERE "coupons"."search_text" IS NULL;--> statement-breakpoint
ALTER TABLE `partners` ADD `search_text` text;--> statement-breakpoint
CREATE INDEX `partners_without_search_text` ON `partners` (`workspace_id`) WHERE "partners"."search_text" IS NULL;--> statement-breakpoint
ALTER TABLE `referral_links` ADD `search_text` text;--> statement-breakpoint
CREATE INDEX `referral_links_without_search_text` ON `referral_links` (`program_id`) WHERE "referral_links"."search_text" IS NULL;
--> statement-breakpoint
CREATE TRIGGER partner_programs_found AFTER INSERT ON partner_programs BEGIN
	INSERT INTO partner_parts (program_id, part, partner_id)
	SELECT NEW.program_id, part, NEW.partner_id FROM (
		WITH RECURSIVE positions (text, position) AS (
			SELECT (SELECT search_text FROM partners WHERE id = NEW.partner_id), 1
			UNION ALL SELECT text, position + 1 FROM positions WHERE position < length(text)
		)
		SELECT substr(text, position, CASE unicode(substr(text, position, 1)) WHEN 10 THEN 5 WHEN 9 THEN 4 ELSE 3 END) AS part FROM positions
	)
	WHERE (unicode(part) IN (9, 10) OR (length(part) = 3 AND instr(part, char(10)) = 0))
	ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER partners_found_anew AFTER UPDATE OF search_text ON partners WHEN NEW.search_text IS NOT OLD.search_text BEGIN
	DELETE FROM partner_parts WHERE program_id IN (SELECT program_id FROM partner_programs WHERE partner_id = OLD.id) AND partner_id = OLD.id AND part IN (
		WITH RECURSIVE positions (text, position) AS (
			SELECT OLD.search_text, 1
			UNION ALL SELECT text, position + 1 FROM positions WHERE position < length(text)
		)
		SELECT substr(text, position, CASE unicode(substr(text, position, 1)) WHEN 10 THEN 5 WHEN 9 THEN 4 ELSE 3 END) AS part FROM positions
	);
	INSERT INTO partner_parts (program_id, part, partner_id)
	SELECT program_id, part, NEW.id FROM partner_programs CROSS JOIN (
		WITH RECURSIVE positions (text, position) AS (
			SELECT NEW.search_text, 1
			UNION ALL SELECT text, position + 1 FROM positions WHERE position < length(text)
		)
		SELECT substr(text, position, CASE unicode(substr(text, position, 1)) WHEN 10 THEN 5 WHEN 9 THEN 4 ELSE 3 END) AS part FROM positions
	)
	WHERE (unicode(part) IN (9, 10) OR (length(part) = 3 AND instr(part, char(10)) = 0)) AND partner_id = NEW.id
	ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
-- A statement that changes a name also changes what it is found by. Otherwise nothing is left of the old name, and cron fills in the new.
CREATE TRIGGER partners_found_by_name AFTER UPDATE OF name, email ON partners
WHEN (NEW.name <> OLD.name OR NEW.email <> OLD.email) AND NEW.search_text IS OLD.search_text BEGIN
	UPDATE partners SET search_text = NULL WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER referral_links_found AFTER INSERT ON referral_links WHEN NEW.program_id IS NOT NULL BEGIN
	INSERT INTO link_parts (program_id, part, link_id)
	SELECT NEW.program_id, part, NEW.id FROM (
		WITH RECURSIVE positions (text, position) AS (
			SELECT NEW.search_text, 1
			UNION ALL SELECT text, position + 1 FROM positions WHERE position < length(text)
		)
		SELECT substr(text, position, CASE unicode(substr(text, position, 1)) WHEN 10 THEN 5 WHEN 9 THEN 4 ELSE 3 END) AS part FROM positions
	)
	WHERE (unicode(part) IN (9, 10) OR (length(part) = 3 AND instr(part, char(10)) = 0))
	ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER referral_links_found_anew AFTER UPDATE OF search_text ON referral_links WHEN NEW.search_text IS NOT OLD.search_text AND NEW.program_id IS NOT NULL BEGIN
	DELETE FROM link_parts WHERE program_id = OLD.program_id AND link_id = OLD.id AND part IN (
		WITH RECURSIVE positions (text, position) AS (
			SELECT OLD.search_text, 1
			UNION ALL SELECT text, position + 1 FROM positions WHERE position < length(text)
		)
		SELECT substr(text, position, CASE unicode(substr(text, position, 1)) WHEN 10 THEN 5 WHEN 9 THEN 4 ELSE 3 END) AS part FROM positions
	);
	INSERT INTO link_parts (program_id, part, link_id)
	SELECT NEW.program_id, part, NEW.id FROM (
		WITH RECURSIVE positions (text, position) AS (
			SELECT NEW.search_text, 1
			UNION ALL SELECT text, position + 1 FROM positions WHERE position < length(text)
		)
		SELECT substr(text, position, CASE unicode(substr(text, position, 1)) WHEN 10 THEN 5 WHEN 9 THEN 4 ELSE 3 END) AS part FROM positions
	)
	WHERE (unicode(part) IN (9, 10) OR (length(part) = 3 AND instr(part, char(10)) = 0))
	ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER coupons_found AFTER INSERT ON coupons BEGIN
	INSERT INTO coupon_parts (program_id, part, coupon_id)
	SELECT NEW.program_id, part, NEW.id FROM (
		WITH RECURSIVE positions (text, position) AS (
			SELECT NEW.search_text, 1
			UNION ALL SELECT text, position + 1 FROM positions WHERE position < length(text)
		)
		SELECT substr(text, position, CASE unicode(substr(text, position, 1)) WHEN 10 THEN 5 WHEN 9 THEN 4 ELSE 3 END) AS part FROM positions
	)
	WHERE (unicode(part) IN (9, 10) OR (length(part) = 3 AND instr(part, char(10)) = 0))
	ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER coupons_found_anew AFTER UPDATE OF search_text ON coupons WHEN NEW.search_text IS NOT OLD.search_text BEGIN
	DELETE FROM coupon_parts WHERE program_id = OLD.program_id AND coupon_id = OLD.id AND part IN (
		WITH RECURSIVE positions (text, position) AS (
			SELECT OLD.search_text, 1
			UNION ALL SELECT text, position + 1 FROM positions WHERE position < length(text)
		)
		SELECT substr(text, position, CASE unicode(substr(text, position, 1)) WHEN 10 THEN 5 WHEN 9 THEN 4 ELSE 3 END) AS part FROM positions
	);
	INSERT INTO coupon_parts (program_id, part, coupon_id)
	SELECT NEW.program_id, part, NEW.id FROM (
		WITH RECURSIVE positions (text, position) AS (
			SELECT NEW.search_text, 1
			UNION ALL SELECT text, position + 1 FROM positions WHERE position < length(text)
		)
		SELECT substr(text, position, CASE unicode(substr(text, position, 1)) WHEN 10 THEN 5 WHEN 9 THEN 4 ELSE 3 END) AS part FROM positions
	)
	WHERE (unicode(part) IN (9, 10) OR (length(part) = 3 AND instr(part, char(10)) = 0))
	ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER coupons_found_by_code AFTER UPDATE OF code ON coupons
WHEN NEW.code <> OLD.code AND NEW.search_text IS OLD.search_text BEGIN
	UPDATE coupons SET search_text = NULL WHERE id = NEW.id;
END;
