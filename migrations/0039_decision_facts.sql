-- Without a rebuild: drizzle-kit would make one for the check.
ALTER TABLE `affiliate_sale_events` ADD `decision_facts` text CONSTRAINT "affiliate_sale_events_facts_json" CHECK(json_valid("decision_facts"));
