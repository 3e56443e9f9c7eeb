alter table products.answers add column content_disposition text;
