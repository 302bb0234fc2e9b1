-- Once, as the server's administrator: a role that owns one database and nothing else.
CREATE ROLE pitlink LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE;
CREATE DATABASE pitlink OWNER pitlink ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0;
REVOKE CONNECT ON DATABASE pitlink FROM PUBLIC;
